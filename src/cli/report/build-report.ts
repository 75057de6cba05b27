import { limitOf, type ThresholdSettings } from "../../topics/define/condition.ts";
import { littleBudget, rewardStateOf, type RewardState } from "../../topics/validators/reward-state.ts";
import { within } from "../../topics/validators/delegations.ts";
import type { QueryAnswers } from "./collect-answers.ts";
import type { Episode } from "./notice-outcome.ts";
import { before, startOf, type ReportPeriod } from "./report-period.ts";
import type { RangeSeries } from "./prometheus-client.ts";

type States = QueryAnswers["states"];

/** A report as a value, which text and HTML show. `undefined` is unknown. Times are Unix seconds, lengths seconds. */
export type Report = {
  readonly period: ReportPeriod;
  /** Time of the period with data of any node. */
  readonly covered: number;
  readonly nodes: {
    readonly node: string;
    readonly network: string | undefined;
    readonly availability: number | undefined;
    /** Time without an answer, as far as it is known. */
    readonly down: number;
    /** Time without samples. */
    readonly unknown: number;
    readonly version: string | undefined;
  }[];
  readonly validators: {
    readonly nodeId: string;
    readonly name: string | undefined;
    readonly network: string;
    readonly uptime: number | undefined;
    readonly requirement: number | undefined;
    /** Downtime that is left; negative when the reward is lost. */
    readonly left: number | undefined;
    readonly whole: number | undefined;
    /** Downtime in this period. */
    readonly used: number | undefined;
    readonly reward: number | undefined;
    readonly state: StateOfReward;
    readonly end: number | undefined;
    /** It is staked again at the end. */
    readonly renews: boolean;
  }[];
  /** AVAX that leaves within 7, 30 and 90 days; none where the delegations are unknown. */
  readonly leaving: readonly number[];
  /** AVAX of delegations that end before the uptime can suffice; `undefined` where that is unknown. */
  readonly unrewarded: number | undefined;
  /** Pages and tickets that were sent; `undefined` where this Prometheus has no rules of the exporter. */
  readonly incidents: readonly Episode[] | undefined;
  readonly totals: Totals;
  readonly totalsBefore: Totals;
};
/** What a period sums up to; shares are unknown together. */
export type Totals = { readonly pages: number | undefined; readonly tickets: number | undefined } & (
  | { readonly availability: number; readonly unknown: number }
  | { readonly availability: undefined; readonly unknown: undefined }
);
export type ValidatorRow = Report["validators"][number];
export type StateOfReward = "safe" | "at risk" | "lost" | "unknown";

/** The report of a period from the answers of Prometheus. @param settings the limits of the alerts that are set */
export function buildReport(
  answers: QueryAnswers,
  period: ReportPeriod,
  settings: ThresholdSettings = new Map(),
): Report {
  const { states } = answers;
  const nodes = nodesOf(states, period);
  const incidents = answers.hasRules === false ? undefined : answers.incidents;
  // Without a sample of a node the rules had nothing to fire on.
  const hadRules = answers.hasRules !== false && states.knownBefore.length > 0;
  return {
    period,
    covered: Math.min(period.length, Math.max(0, ...states.known.map((track) => (valueOf(track) ?? 0) * period.step))),
    nodes,
    validators: validatorsOf(states, period, limitOf(littleBudget, settings)),
    leaving: leavingOf(states),
    unrewarded: states.unrewarded.map(valueOf)[0],
    incidents,
    totals: { ...availabilityOf(states.up, states.known, nodes.length, period), ...countsOf(incidents) },
    totalsBefore: {
      ...availabilityOf(states.upBefore, states.knownBefore, nodes.length, before(period)),
      ...countsOf(hadRules ? answers.incidentsBefore : undefined),
    },
  };
}

function countsOf(incidents: readonly Episode[] | undefined) {
  const pages = incidents?.filter(({ severity }) => severity === "critical").length;
  return { pages, tickets: incidents === undefined || pages === undefined ? undefined : incidents.length - pages };
}

function availabilityOf(
  up: readonly RangeSeries[],
  known: readonly RangeSeries[],
  nodes: number,
  { length, step }: ReportPeriod,
) {
  const sum = (tracks: readonly RangeSeries[]): number =>
    tracks.reduce((total, track) => total + (valueOf(track) ?? 0), 0);
  const points = sum(known);
  if (points === 0) return { availability: undefined, unknown: undefined };
  // The share of the known time in which the nodes answered, and the time without samples of all nodes together.
  return { availability: sum(up) / points, unknown: Math.max(0, nodes * length - points * step) };
}

function nodesOf(states: States, { length, step }: ReportPeriod) {
  const values = valuesOf(states, ["up", "known"], "node");
  // The network of a node is absent until the node has answered for the first time.
  const networks = namesOf(
    states.nodes.toSorted((a, b) => ((a.labels["network"] ?? "") < (b.labels["network"] ?? "") ? -1 : 1)),
    "network",
    "node",
  );
  const versions = namesOf(states.versions, "version", "node");
  const names = [...new Set([...networks.keys(), ...states.known.map(({ labels }) => labels["node"] ?? "")])].filter(
    (name) => name !== "",
  );
  return names
    .map((node) => {
      const { up = 0, known = 0 } = values.get(node) ?? {};
      return {
        node,
        network: networks.get(node),
        availability: known === 0 ? undefined : up / known,
        down: (known - up) * step,
        unknown: Math.max(0, length - known * step),
        version: versions.get(node)?.replace(/^avalanchego\//, ""),
      };
    })
    .toSorted((a, b) => (a.availability ?? -1) - (b.availability ?? -1) || (a.node < b.node ? -1 : 1));
}

const OF_VALIDATORS = [
  ...(["margin", "scarce", "shortfall", "requirement", "budget", "budgetBefore", "wholeBudget"] as const),
  ...(["reward", "stakeStart", "stakeEnd", "nextPeriod"] as const),
];

function validatorsOf(states: States, period: ReportPeriod, little: number) {
  const values = valuesOf(states, OF_VALIDATORS, "network", "node_id");
  const names = namesOf(states.names, "name", "network", "node_id");
  return states.inSet
    .filter((track) => valueOf(track) === 1)
    .map(({ labels }) => {
      const key = keyOf(labels, ["network", "node_id"]);
      const its = values.get(key) ?? {};
      const { margin, requirement, budget, wholeBudget, stakeStart } = its;
      // The budget of a stake that began in this period was whole at that moment.
      const atStart = stakeStart !== undefined && stakeStart > startOf(period) ? wholeBudget : its.budgetBefore;
      const isCounted = atStart !== undefined && budget !== undefined && stakeStart !== undefined;
      return {
        nodeId: labels["node_id"] ?? "",
        name: names.get(key),
        network: labels["network"] ?? "",
        uptime: requirement === undefined || margin === undefined ? undefined : requirement + margin,
        requirement,
        left: budget,
        whole: wholeBudget,
        used: isCounted ? Math.max(0, atStart - budget) : undefined,
        reward: its.reward,
        state: stateOf(its, little),
        end: its.stakeEnd,
        renews: (its.nextPeriod ?? 0) > 0,
      };
    })
    .toSorted((a, b) => (a.left ?? Infinity) - (b.left ?? Infinity) || (a.nodeId < b.nodeId ? -1 : 1));
}

const STATES = {
  safe: "safe",
  at_risk: "at risk",
  below_requirement: "at risk",
  lost: "lost",
} as const satisfies Readonly<Record<RewardState, StateOfReward>>;

/** As the alerts judge it. @param little the limit of AvaxDowntimeBudgetLow, seconds */
function stateOf(
  { budget: left, scarce = Infinity, shortfall = 0 }: Partial<Record<"budget" | "scarce" | "shortfall", number>>,
  little: number,
): StateOfReward {
  return left === undefined ? "unknown" : STATES[rewardStateOf({ left, scarce, shortfall }, little)];
}

function leavingOf({ delegated }: States): readonly number[] {
  const stakes = byLabels(delegated, "remaining");
  if (stakes.size === 0) return [];
  return ([7, 30, 90] as const).map((days) => within(days).reduce((sum, range) => sum + (stakes.get(range) ?? 0), 0));
}

/** A label by the values of others. */
function namesOf(tracks: readonly RangeSeries[], label: string, ...names: readonly string[]) {
  return new Map(tracks.map(({ labels }) => [keyOf(labels, names), labels[label]]));
}

/** The values of several queries by the same labels. */
function valuesOf<N extends keyof States>(states: States, queries: readonly N[], ...labels: readonly string[]) {
  const found = new Map<string, Partial<Record<N, number>>>();
  for (const query of queries)
    for (const [key, value] of byLabels(states[query], ...labels))
      found.set(key, { ...found.get(key), [query]: value });
  return found;
}

function byLabels(tracks: readonly RangeSeries[], ...names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    tracks.flatMap((track) => {
      const value = valueOf(track);
      return value === undefined ? [] : [[keyOf(track.labels, names), value] as const];
    }),
  );
}

function keyOf(labels: RangeSeries["labels"], names: readonly string[]): string {
  return names.map((name) => labels[name] ?? "").join("\0");
}

/** The value of a series with one sample; what is not finite is unknown. */
function valueOf({ samples }: RangeSeries): number | undefined {
  const value = samples[0]?.[1];
  return Number.isFinite(value) ? value : undefined;
}
