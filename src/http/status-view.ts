import type { Failure } from "../api/reasons.ts";
import type { EndpointStatus, PollState, Status, TargetStatus } from "../poller/status.ts";

/** How much attention a target needs, worst first. `failing`: it answers, but not every question. */
export const CONDITIONS = ["down", "failing", "unknown", "healthy"] as const;
export type Condition = (typeof CONDITIONS)[number];

export type TargetView = {
  readonly target: TargetStatus;
  readonly condition: Condition;
  readonly failing: number;
  /** When any endpoint last answered, Unix seconds. */
  readonly lastAnswer: number | undefined;
};

export type StatusView = {
  /** The state of the fleet in one line. */
  readonly headline: string;
  readonly targets: Readonly<Record<Condition, readonly TargetView[]>>;
};

/** Endpoints that share a fate: failing for the same reason with the same message, or not failing. */
export type EndpointGroup = { readonly error: Failure | undefined; readonly endpoints: readonly EndpointStatus[] };

/** Sorts the targets by the attention they need, in the order of the configuration otherwise. */
export function viewStatus({ targets }: Status): StatusView {
  const views = targets.map(viewTarget);
  const having = (condition: Condition) => views.filter((view) => view.condition === condition);
  return {
    headline: headlineOf(views),
    targets: {
      down: having("down"),
      failing: having("failing"),
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

function viewTarget(target: TargetStatus): TargetView {
  const failing = target.endpoints.filter(isFailing).length;
  const answers = target.endpoints.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [lastSuccess]));
  return {
    target,
    condition: conditionOf(target, failing),
    failing,
    lastAnswer: answers.length === 0 ? undefined : Math.max(...answers),
  };
}

function conditionOf({ up }: TargetStatus, failing: number): Condition {
  if (up === false) return "down";
  if (failing > 0) return "failing";
  return up === undefined ? "unknown" : "healthy";
}

function headlineOf(views: readonly TargetView[]): string {
  if (views.length === 0) return "No nodes are configured";
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
