import type { Failure } from "../../api/reasons.ts";
import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { EndpointStatus, PollState, Status, TargetStatus } from "../../poller/poll/status.ts";

/** How much attention a target needs, worst first. `failing`: it answers, but not every question; `troubled`: what it answers is no good. */
export const CONDITIONS = ["down", "failing", "troubled", "unknown", "healthy"] as const;
export type Condition = (typeof CONDITIONS)[number];

export type TargetView = {
  readonly target: TargetStatus;
  readonly condition: Condition;
  readonly failing: number;
  readonly problems: Problems;
  /** When any endpoint last answered, Unix seconds. */
  readonly lastAnswer: number | undefined;
};

/** What is wrong with a node, and what it says of itself. */
export type Problems = {
  readonly critical: number;
  readonly warning: number;
  /** Whether the node calls itself healthy. */
  readonly claim: boolean | undefined;
};

export type StatusView = {
  /** The state of the fleet in one line. */
  readonly headline: string;
  readonly targets: Readonly<Record<Condition, readonly TargetView[]>>;
};

/** Endpoints that share a fate: failing for the same reason with the same message, or not failing. */
export type EndpointGroup = { readonly error: Failure | undefined; readonly endpoints: readonly EndpointStatus[] };

/** Sorts the targets by the attention they need, in the order of the configuration otherwise. */
export function viewStatus({ targets, probed = 0 }: Status, diagnosis?: Diagnosis): StatusView {
  const problems = problemsByNode(diagnosis);
  const views = targets.map((target) =>
    viewTarget(target, problems.get(target.name) ?? NO_PROBLEMS, diagnosis?.claims[target.name]),
  );
  const having = (condition: Condition) => views.filter((view) => view.condition === condition);
  return {
    headline: [...criticalOf(diagnosis), headlineOf(views, probed)].join("; "),
    targets: {
      down: having("down"),
      failing: having("failing"),
      troubled: having("troubled"),
      unknown: having("unknown"),
      healthy: having("healthy"),
    },
  };
}

/** The failing endpoints grouped by what is wrong, then the others: waiting, answering, unsupported. */
export function groupEndpoints(endpoints: readonly EndpointStatus[]): readonly EndpointGroup[] {
  const failing = Map.groupBy(
    endpoints.filter(isFailing),
    ({ error }) => `${error?.reason ?? ""}\n${error?.message ?? ""}`,
  );
  const groups = [...failing.values()].map((group) => ({ error: group[0]?.error, endpoints: group }));
  const others = OTHER_STATES.flatMap((state) => endpoints.filter((endpoint) => endpoint.state === state));
  return others.length === 0 ? groups : [...groups, { error: undefined, endpoints: others }];
}

const OTHER_STATES: readonly PollState[] = ["waiting", "ok", "unsupported"];

type Counts = { readonly critical: number; readonly warning: number };
const NO_PROBLEMS: Counts = { critical: 0, warning: 0 };

function problemsByNode(diagnosis: Diagnosis | undefined): ReadonlyMap<string, Counts> {
  const nodes = new Map<string, Counts>();
  for (const { severity, labels } of diagnosis?.findings ?? []) {
    const node = labels["node"];
    if (node === undefined || severity === "info") continue;
    const before = nodes.get(node) ?? NO_PROBLEMS;
    nodes.set(node, { ...before, [severity]: before[severity] + 1 });
  }
  return nodes;
}

function criticalOf(diagnosis: Diagnosis | undefined): readonly string[] {
  const critical = diagnosis?.counts.critical ?? 0;
  return critical === 0 ? [] : [count(critical, "critical problem")];
}

function viewTarget(target: TargetStatus, counts: Counts, claim: boolean | undefined): TargetView {
  const failing = target.endpoints.filter(isFailing).length;
  const answers = target.endpoints.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [lastSuccess]));
  return {
    target,
    condition: conditionOf(target, failing, counts.critical + counts.warning > 0),
    failing,
    problems: { ...counts, claim },
    lastAnswer: answers.length === 0 ? undefined : Math.max(...answers),
  };
}

function conditionOf({ up }: TargetStatus, failing: number, troubled: boolean): Condition {
  if (up === false) return "down";
  if (failing > 0) return "failing";
  if (troubled) return "troubled";
  return up === undefined ? "unknown" : "healthy";
}

function headlineOf(views: readonly TargetView[], probed: number): string {
  if (views.length === 0)
    return probed === 0 ? "No nodes are configured" : `${count(probed, "node")}, asked when probed`;
  const up = views.filter(({ target }) => target.up === true).length;
  const unknown = views.filter(({ target }) => target.up === undefined).length;
  const failing = views.reduce((sum, view) => sum + view.failing, 0);
  const parts = [`${grouped(up)} of ${count(views.length, "node")} up`];
  if (unknown > 0) parts.push(`${grouped(unknown)} not known yet`);
  if (failing > 0) parts.push(`${count(failing, "endpoint")} failing`);
  return parts.join(", ");
}

/** `1 node`, `2,000 nodes`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function isFailing({ state }: EndpointStatus): boolean {
  return state === "failing";
}

function grouped(number: number): string {
  return number < 1_000 ? String(number) : THOUSANDS.format(number);
}

const THOUSANDS = new Intl.NumberFormat("en-US");
