import { lasting } from "../../config/base/age.ts";
import { parseDuration } from "../../config/base/units.ts";
import type { Diagnosis, Finding } from "../../diagnosis/finding.ts";
import { count, grouped } from "./count.ts";

/** A node, as far as the headline needs it. */
type Node = {
  readonly failing: number;
  readonly isBehind: boolean;
  /** Some of its endpoints have not been polled yet: what they would show is unknown. */
  readonly isNew: boolean;
  readonly target: { readonly up: boolean | undefined };
};

/**
 * The state of the fleet: `bad` with critical problems, `good` where no condition of a warning or worse is true, `unknown` while an
 * endpoint of a node has not been polled.
 */
export type Tone = "bad" | "warn" | "unknown" | "good";

/** The most urgent problems, those that fire soon included, then how many nodes are up. */
export function headlineOf(nodes: readonly Node[], probed: number, diagnosis: Diagnosis | undefined): string {
  if (nodes.length === 0)
    return probed === 0 ? "No nodes configured" : `${count(probed, "node")}, polled on probes only`;
  const up = nodes.filter(({ target }) => target.up === true).length;
  const unknown = nodes.filter(({ target }) => target.up === undefined).length;
  const but = unknown === 0 ? "" : `, ${grouped(unknown)} unknown`;
  const problems = diagnosis === undefined ? "" : `${urgent(diagnosis, nodes)}; `;
  return `${problems}${grouped(up)} of ${count(nodes.length, "node")} up${but}`;
}

function urgent(diagnosis: Diagnosis, nodes: readonly Node[]): string {
  const { critical, warning, info, consequences, pending } = diagnosis.counts;
  const further = (number: number) => (critical > 0 ? `${grouped(number)} more` : count(number, "critical problem"));
  const parts = [
    ...(critical > 0 ? [count(critical, "critical problem")] : []),
    ...pendingOf(diagnosis, "critical", (number) => `${further(number)}, ${number === 1 ? "it" : "the first"} pages`),
    ...(warning > 0 && critical === 0 ? [count(warning, "warning")] : []),
  ];
  if (parts.length > 0) return parts.join("; ");
  const [ticket] = pendingOf(
    diagnosis,
    "warning",
    (number) => `${count(number, "warning")}, ${number === 1 ? "it" : "the first"} fires`,
  );
  if (ticket !== undefined) return ticket;
  const down = nodes.filter(({ target }) => target.up === false).length;
  if (down > 0) return `${count(down, "node")} down`;
  const behind = nodes.filter(({ isBehind }) => isBehind).length;
  if (behind > 0) return `${count(behind, "node")} behind`;
  if (hasExplained(diagnosis)) return `${count(consequences, "consequence")} of a state such as bootstrapping`;
  if (nodes.some(({ isNew }) => isNew)) return "First round of polls";
  return info + pending > 0 ? "No urgent problems" : "No problems";
}

/** The pending problems of a severity, and when the first of them fires; nothing without any. */
function pendingOf(
  { problems, at }: Diagnosis,
  severity: Finding["severity"],
  words: (number: number) => string,
): readonly string[] {
  const found = problems.filter((each) => each.state === "pending" && each.severity === severity);
  if (found.length === 0) return [];
  const left = found.map(({ since = Infinity, for: time }) => Math.max(0, since + (parseDuration(time) ?? 0) - at));
  const first = Math.min(...left);
  return [`${words(found.length)} ${first === Infinity ? "soon" : `in ${lasting(first)}`}`];
}

/** Whether a state alone, such as a bootstrap, explains a condition of a warning or worse. */
function hasExplained({ problems }: Diagnosis): boolean {
  return problems.some(({ consequences }) =>
    consequences.some(({ severity }) => severity === "critical" || severity === "warning"),
  );
}

/** Without a diagnosis a node that is down is bad at once. With one its alert decides, which allows time for a restart. */
export function toneOf(nodes: readonly Node[], diagnosis: Diagnosis | undefined): Tone {
  const down = nodes.some(({ target }) => target.up === false);
  if (diagnosis === undefined ? down : diagnosis.counts.critical > 0) return "bad";
  const isWrong =
    diagnosis === undefined
      ? nodes.some(({ failing }) => failing > 0)
      : hasExplained(diagnosis) ||
        diagnosis.problems.some(({ severity }) => severity === "critical" || severity === "warning");
  if (down || isWrong || nodes.some(({ isBehind }) => isBehind)) return "warn";
  return nodes.length === 0 || nodes.some(({ target, isNew }) => target.up === undefined || isNew) ? "unknown" : "good";
}
