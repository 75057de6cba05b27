import type { HttpDependencies } from "../dependencies.ts";
import { nativeTargets, probeTargets } from "./discovery.ts";
import { jsonReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** A host with an optional port, as in a Host header. */
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/**
 * Prometheus's HTTP service discovery. Every shard lists the whole fleet, including nodes that are down. `?for=probe` lists the
 * nodes as targets of `/probe`; `&module=` selects a module.
 */
export function sdRoute({ fleet, modules }: HttpDependencies): Route {
  return {
    path: "/sd",
    methods: ["GET"],
    handle({ query, header }) {
      const wanted = query.get("for") ?? "node";
      if (wanted === "node") return jsonReply(nativeTargets(fleet()));
      if (wanted !== "probe") return textReply(400, "for must be node (the nodes' own metrics) or probe.\n");
      const module = query.get("module") ?? undefined;
      if (module !== undefined && !modules().includes(module))
        return textReply(400, `Unknown module. Modules: ${modules().join(", ")}\n`);
      const host = header("host") ?? "";
      if (!HOST.test(host))
        return textReply(400, "The Host header, the address of the probes, is missing or malformed.\n");
      return jsonReply(probeTargets(fleet(), host, module));
    },
  };
}
