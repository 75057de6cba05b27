import { lasting } from "../../config/base/durations.ts";
import { parseDuration } from "../../config/base/units.ts";
import type { Diagnosis, Finding } from "../../diagnosis/finding.ts";
import { count, grouped } from "./count.ts";
import type { TargetView } from "./status-view.ts";

/**
 * The state of the fleet: `bad` with critical problems, `good` where no condition of a warning or worse is true, `unknown` while an
 * endpoint of a node has not been polled.
 */
export type FleetTone = "bad" | "warn" | "unknown" | "good";

/** The most urgent problems, those that fire soon included, then how many nodes are up; first where none is. */
export function headlineOf(nodes: readonly TargetView[], probed: number, diagnosis: Diagnosis | undefined): string {
  if (nodes.length === 0)
    return probed === 0 ? "No nodes configured" : `${count(probed, "node")}, polled on probes only`;
  const up = nodes.filter(({ target }) => target.up === true).length;
  const unknown = nodes.filter(({ target }) => target.up === undefined).length;
  const but = unknown === 0 ? "" : `, ${grouped(unknown)} unknown`;
  const state = `${grouped(up)} of ${count(nodes.length, "node")} up${but}`;
  if (diagnosis === undefined) return state;
  const problems = urgent(diagnosis, nodes);
  return isOutage(nodes) ? `${state}; ${problems}` : `${problems}; ${state}`;
}

/** Whether every one of several nodes is down: whatever else is wrong follows from it. */
function isOutage(nodes: readonly TargetView[]): boolean {
  return nodes.length > 1 && nodes.every(({ target }) => target.up === false);
}

function urgent(diagnosis: Diagnosis, nodes: readonly TargetView[]): string {
  const { critical, warning, info, consequences, pending } = diagnosis.counts;
  const parts = [
    critical > 0 ? count(critical, "critical problem") : "",
    pendingOf(diagnosis, "critical"),
    warning > 0 && critical === 0 ? count(warning, "warning") : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return parts.join("; ");
  const soon = pendingOf(diagnosis, "warning");
  if (soon !== "") return soon;
  const down = nodes.filter(({ target }) => target.up === false).length;
  if (down > 0) return `${count(down, "node")} down`;
  const behind = nodes.filter(({ isBehind }) => isBehind).length;
  if (behind > 0) return `${count(behind, "node")} behind`;
  if (isWrong(diagnosis)) return `${count(consequences, "consequence")} of a state such as bootstrapping`;
  if (nodes.some(({ isNew }) => isNew)) return "First round of polls";
  return info + pending > 0 ? "No urgent problems" : "No problems";
}

/** The pending problems of a severity, and when the first of them fires; "" without any. */
function pendingOf({ problems, at }: Diagnosis, severity: Finding["severity"]): string {
  const found = problems.filter((problem) => problem.state === "pending" && problem.severity === severity);
  const left = found.map(({ since = at, for: time }) => since + (parseDuration(time) ?? 0) - at);
  if (left.length === 0) return "";
  const number = severity === "warning" ? count(left.length, severity) : `${grouped(left.length)} ${severity}`;
  return `${number} pending, next fires in ${lasting(Math.min(...left))}`;
}

/** Whether a condition of a warning or worse is true, also one that a state alone, such as a bootstrap, explains. */
function isWrong({ problems }: Diagnosis): boolean {
  return problems
    .flatMap((problem): readonly Finding[] => [problem, ...problem.consequences])
    .some(({ severity }) => severity === "critical" || severity === "warning");
}

/** Without a diagnosis a node that is down is bad at once. With one its alert decides, which allows time for a restart. */
export function toneOf(nodes: readonly TargetView[], diagnosis: Diagnosis | undefined): FleetTone {
  const down = nodes.some(({ target }) => target.up === false);
  if (diagnosis === undefined) return down ? "bad" : "unknown";
  if (diagnosis.counts.critical > 0 || isOutage(nodes)) return "bad";
  if (down || isWrong(diagnosis) || nodes.some(({ isBehind }) => isBehind)) return "warn";
  return nodes.length === 0 || nodes.some(({ target, isNew }) => target.up === undefined || isNew) ? "unknown" : "good";
}
