import { NOT_PROBED } from "../schema/probe-section.ts";
import { complain, isRecord, valueAt, warn, type Findings } from "../base/tree.ts";
import { didYouMean, quoted, shownKey } from "../base/words.ts";

/** Endpoints of hosted services, which nodes do not have. */
const HOSTED = /^(data|metrics)\./;

/** Rules about modules and targets of `/probe` that concern several values. */
export function checkProbe(
  root: unknown,
  endpointIds: readonly string[],
  networkEndpointIds: readonly string[],
  findings: Findings,
): void {
  const modules = valueAt(root, ["probe", "modules"]);
  const known = endpointIds.filter((id) => !HOSTED.test(id) && !NOT_PROBED.has(id));
  for (const [name, module] of isRecord(modules) ? Object.entries(modules) : []) {
    const listed = isRecord(module) && Array.isArray(module["endpoints"]) ? (module["endpoints"] as unknown[]) : [];
    listed.forEach((id, index) => {
      if (typeof id !== "string") return;
      const at = ["probe", "modules", name, "endpoints", index];
      if (!known.includes(id)) complain(findings, at, fault(id, known));
      else if (networkEndpointIds.includes(id) && isRecord(module) && module["network"] !== true)
        complain(findings, at, `${id} is about the whole network; set network: true for this module, or remove it`);
    });
  }
  const targets = valueAt(root, ["probe", "targets"]);
  (Array.isArray(targets) ? (targets as unknown[]) : []).forEach((target, index) => {
    if (typeof target !== "string" || /[A-Za-z0-9[]/.test(target.slice(0, target.lastIndexOf(":")))) return;
    warn(
      findings,
      ["probe", "targets", index],
      "every client of the exporter can make it send requests to any such host",
    );
  });
}

function fault(id: string, known: readonly string[]): string {
  if (NOT_PROBED.has(id)) return `${id} compares consecutive polls, and a probe has only one; remove it`;
  if (HOSTED.test(id)) return `${quoted(shownKey(id))} is an endpoint of a hosted service, not of a node; remove it`;
  const help = didYouMean(id, known) || "; docs/reference/endpoints.md lists them";
  return `unknown endpoint id ${quoted(shownKey(id))}${help}`;
}
