import { NOT_PROBED } from "../schema/probe-section.ts";
import { complain, isRecord, valueAt, warn, type Findings } from "../base/tree.ts";
import { didYouMean, quoted, shownKey } from "../base/words.ts";

/** Rules about modules and targets of `/probe` that concern several values. */
export function checkProbe(
  root: unknown,
  endpointIds: readonly string[],
  networkEndpointIds: readonly string[],
  findings: Findings,
): void {
  const modules = valueAt(root, ["probe", "modules"]);
  // Hosted services are no nodes.
  const known = endpointIds.filter((id) => !/^(data|metrics)\./.test(id) && !NOT_PROBED.has(id));
  for (const [name, module] of isRecord(modules) ? Object.entries(modules) : []) {
    const listed: unknown = valueAt(module, ["endpoints"]);
    for (const [index, id] of Array.isArray(listed) ? listed.entries() : []) {
      if (typeof id !== "string") continue;
      const at = ["probe", "modules", name, "endpoints", index];
      const help = didYouMean(id, known) || "; docs/reference/endpoints.md lists them";
      if (!known.includes(id))
        complain(findings, at, `${quoted(shownKey(id))} is not an endpoint that can be probed${help}`);
      else if (networkEndpointIds.includes(id) && valueAt(module, ["network"]) !== true)
        complain(findings, at, `${id} is about the whole network; set network: true for this module, or remove it`);
    }
  }
  const targets = valueAt(root, ["probe", "targets"]);
  for (const [index, target] of Array.isArray(targets) ? targets.entries() : []) {
    if (typeof target !== "string" || /[A-Za-z0-9[]/.test(target.slice(0, target.lastIndexOf(":")))) continue;
    const message = "every client of the exporter can make it send requests to any such host";
    warn(findings, ["probe", "targets", index], message);
  }
}
