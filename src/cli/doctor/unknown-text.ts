import type { DiagnosisReport } from "../../diagnosis/finding.ts";
import { amount, listed } from "../../diagnosis/wording.ts";
import type { UnknownName } from "../../poller/node/unknown-name.ts";
import { printable } from "../text/printable.ts";

/** Names of one kind that are printed. */
const MOST = 100;
const KINDS: Readonly<Record<UnknownName["kind"] | "family", string>> = {
  check: "Health checks",
  family: "Native metrics (/ext/metrics)",
  field: "Fields",
  refused: "Refused endpoints",
  release: "Releases",
};

/** A name by kind with the nodes that send it; `family` is one of a node's own metrics. */
export type PrintedName = Omit<UnknownName, "kind"> & { readonly kind: keyof typeof KINDS };

/**
 * What is new to this release, by kind.
 * @param unread nodes that do not serve their own metrics
 */
export function unknownText(
  { nodes }: Pick<DiagnosisReport, "nodes">,
  names: readonly PrintedName[],
  unread: readonly string[],
  version: string,
): string {
  const sections = [...Map.groupBy(names, ({ kind }) => kind)].flatMap(([kind, all]) => [
    `${KINDS[kind]}:`,
    ...all.slice(0, MOST).map(({ name, nodes: senders }) => `  ${name} (${listed(senders)})`),
    ...(all.length > MOST ? [`  and ${all.length - MOST} more`] : []),
    "",
  ]);
  const heading = `${amount(names.length, "name")} of ${amount(nodes.length, "node")}: new to avax-exporter ${version}.`;
  const missing = unread.length === 0 ? [] : [`No native metrics: ${listed(unread)}`, ""];
  return `${[heading, "", ...sections, ...missing].map(printable).join("\n")}`;
}
