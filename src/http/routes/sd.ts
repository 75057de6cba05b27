import type { HttpDependencies } from "../dependencies.ts";
import { nativeTargets, probeTargets, type TargetGroup } from "./discovery.ts";
import { textReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";

/** A host with or without a port, as a Host header has it. */
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/**
 * Prometheus's HTTP service discovery. The whole fleet is listed whether its nodes are up or not, and whichever of several
 * shards is asked. `?for=probe` lists the same nodes as targets of `/probe`, with `&module=` for one other than the first.
 */
export function sdRoute({ fleet, modules }: HttpDependencies): Route {
  return {
    path: "/sd",
    methods: ["GET"],
    handle({ query, header }) {
      const wanted = query.get("for") ?? "node";
      if (wanted === "node") return groupsReply(nativeTargets(fleet()));
      if (wanted !== "probe") return textReply(400, "for is node (the nodes' own metrics) or probe.\n");
      const module = query.get("module") ?? undefined;
      if (module !== undefined && !modules().includes(module))
        return textReply(400, `There is no such module. Modules: ${modules().join(", ")}\n`);
      const host = header("host") ?? "";
      if (!HOST.test(host)) return textReply(400, "The Host header tells where probes go: it is missing or no host.\n");
      return groupsReply(probeTargets(fleet(), host, module));
    },
  };
}

function groupsReply(groups: readonly TargetGroup[]): Reply {
  return textReply(200, JSON.stringify(groups), {}, "application/json");
}
