import type { Counts } from "../../diagnosis/finding.ts";
import { count, grouped } from "./count.ts";

/** A node, with the number of its failing endpoints. */
type Node = { readonly target: { readonly up: boolean | undefined }; readonly failing: number };

/** The state of the fleet: `bad` with critical problems, `warn` with others, `unknown` while a node has not been polled. */
export type Tone = "bad" | "warn" | "unknown" | "good";

export type Headline = {
  /** The state of the fleet in one line. */
  readonly headline: string;
  readonly tone: Tone;
};

/** The most urgent problems, then how many nodes are up. Pending problems are not counted. */
export function headlineOf(nodes: readonly Node[], probed: number, counts: Counts | undefined): string {
  const problems = counts === undefined ? "" : `${urgent(counts)}; `;
  if (nodes.length === 0)
    return probed === 0 ? "No nodes configured" : `${count(probed, "node")}, polled on probes only`;
  const up = nodes.filter(({ target }) => target.up === true).length;
  const unknown = nodes.filter(({ target }) => target.up === undefined).length;
  const but = unknown === 0 ? "" : `, ${grouped(unknown)} unknown`;
  return `${problems}${grouped(up)} of ${count(nodes.length, "node")} up${but}`;
}

function urgent({ critical, warning, info, pending }: Counts): string {
  if (critical > 0) return count(critical, "critical problem");
  if (warning > 0) return count(warning, "warning");
  return info + pending > 0 ? "No urgent problems" : "No problems";
}

/** Without a diagnosis a node that is down is bad at once. With one its alert decides, which allows time for a restart. */
export function toneOf(nodes: readonly Node[], counts: Counts | undefined): Tone {
  const down = nodes.some(({ target }) => target.up === false);
  if ((counts?.critical ?? 0) > 0 || (down && counts === undefined)) return "bad";
  const failing = counts === undefined && nodes.some(({ failing: number }) => number > 0);
  if (down || failing || (counts?.warning ?? 0) > 0) return "warn";
  return nodes.length === 0 || nodes.some(({ target }) => target.up === undefined) ? "unknown" : "good";
}
