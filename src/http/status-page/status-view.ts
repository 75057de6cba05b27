import type { Failure } from "../../api/reasons.ts";
import { countsOf } from "../../diagnosis/counts.ts";
import type { Counts, Diagnosis } from "../../diagnosis/finding.ts";
import type { EndpointStatus, PollState, Status, TargetStatus } from "../../poller/poll/status.ts";

/** The condition of a target, worst first. `failing`: some endpoints fail; `troubled`: all answer, but there are problems or consequences. */
export const CONDITIONS = ["down", "failing", "troubled", "unknown", "healthy"] as const;
export type Condition = (typeof CONDITIONS)[number];

export type TargetView = {
  readonly target: TargetStatus;
  readonly condition: Condition;
  readonly failing: number;
  /** `claim`: whether the node reports itself healthy. */
  readonly problems: Counts & { readonly claim: boolean | undefined };
  /** Time of the last answer of any endpoint, Unix seconds. */
  readonly lastAnswer: number | undefined;
};

export type StatusView = {
  /** The state of the fleet in one line. */
  readonly headline: string;
  readonly targets: Readonly<Record<Condition, readonly TargetView[]>>;
};

/** Endpoints that fail with the same reason and message, or endpoints that do not fail. */
export type EndpointGroup = { readonly error: Failure | undefined; readonly endpoints: readonly EndpointStatus[] };

/** Groups the targets by condition, in the order of the configuration. */
export function viewStatus({ targets, probed = 0 }: Status, diagnosis?: Diagnosis): StatusView {
  const views = targets.map((target) =>
    viewTarget(
      target,
      diagnosis === undefined ? NO_PROBLEMS : countsOf(diagnosis, target.name),
      diagnosis?.claims[target.name],
    ),
  );
  const critical = diagnosis?.counts.critical ?? 0;
  const headline = headlineOf(views, probed);
  return {
    headline: critical === 0 ? headline : `${count(critical, "critical problem")}; ${headline}`,
    targets: byCondition((condition) => views.filter((view) => view.condition === condition)),
  };
}

export function byCondition(targetsOf: (condition: Condition) => readonly TargetView[]): StatusView["targets"] {
  return {
    down: targetsOf("down"),
    failing: targetsOf("failing"),
    troubled: targetsOf("troubled"),
    unknown: targetsOf("unknown"),
    healthy: targetsOf("healthy"),
  };
}

/** Worst first. */
export function allTargets({ targets }: StatusView): readonly TargetView[] {
  return CONDITIONS.flatMap((condition) => targets[condition]);
}

/** The failing endpoints grouped by error, then the others: waiting, answering, unsupported. */
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

const NO_PROBLEMS: Counts = { critical: 0, warning: 0, info: 0, pending: 0, consequences: 0 };

function viewTarget(target: TargetStatus, counts: Counts, claim: boolean | undefined): TargetView {
  const failing = target.endpoints.filter(isFailing).length;
  const answers = target.endpoints.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [lastSuccess]));
  return {
    target,
    condition: conditionOf(target, failing, counts.critical + counts.warning + counts.consequences > 0),
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
    return probed === 0 ? "No nodes configured" : `${count(probed, "node")}, polled on probes only`;
  const up = views.filter(({ target }) => target.up === true).length;
  const unknown = views.filter(({ target }) => target.up === undefined).length;
  const failing = views.reduce((sum, view) => sum + view.failing, 0);
  const parts = [`${grouped(up)} of ${count(views.length, "node")} up`];
  if (unknown > 0) parts.push(`${grouped(unknown)} unknown`);
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

/** `2,000`. */
export function grouped(number: number): string {
  return number < 1_000 ? String(number) : THOUSANDS.format(number);
}

const THOUSANDS = new Intl.NumberFormat("en-US");
