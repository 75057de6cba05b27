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
  const { critical, warning, info, consequences } = diagnosis.counts;
  const pages = pending(diagnosis, "critical");
  const tickets = pending(diagnosis, "warning");
  const parts = [
    ...(critical > 0 ? [count(critical, "critical problem")] : []),
    ...(pages.number === 0
      ? []
      : [
          `${critical > 0 ? `${grouped(pages.number)} more` : count(pages.number, "critical problem")}, ${firstOf(pages, "pages")}`,
        ]),
    ...(warning > 0 && critical === 0 ? [count(warning, "warning")] : []),
  ];
  if (parts.length > 0) return parts.join("; ");
  if (tickets.number > 0) return `${count(tickets.number, "warning")}, ${firstOf(tickets, "fires")}`;
  const down = nodes.filter(({ target }) => target.up === false).length;
  if (down > 0) return `${count(down, "node")} down`;
  const behind = nodes.filter(({ isBehind }) => isBehind).length;
  if (behind > 0) return `${count(behind, "node")} behind`;
  if (hasExplained(diagnosis)) return `${count(consequences, "consequence")} of a state such as bootstrapping`;
  if (nodes.some(({ isNew }) => isNew)) return "First round of polls";
  return info + diagnosis.counts.pending > 0 ? "No urgent problems" : "No problems";
}

type Pending = { readonly number: number; readonly first: number | undefined };

/** The pending problems of a severity, and the seconds until the first of them fires. */
function pending({ problems, at }: Diagnosis, severity: Finding["severity"]): Pending {
  const found = problems.filter((each) => each.state === "pending" && each.severity === severity);
  const left = found.flatMap(({ since, for: time }) =>
    since === undefined ? [] : [Math.max(0, since + (parseDuration(time) ?? 0) - at)],
  );
  return { number: found.length, first: left.length === 0 ? undefined : Math.min(...left) };
}

function firstOf({ number, first }: Pending, verb: "pages" | "fires"): string {
  const when = first === undefined ? "soon" : `in ${lasting(first)}`;
  return `${number === 1 ? "it" : "the first"} ${verb} ${when}`;
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
