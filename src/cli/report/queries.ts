import type { Metric } from "../../topics/define/metric.ts";
import { l1Runway } from "../../topics/l1/l1-runway.ts";
import { l1Validator } from "../../topics/l1/l1-validator.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { subnets } from "../../topics/network/subnets.ts";
import { identity, nodeLabels } from "../../topics/node/identity.ts";
import { delegations } from "../../topics/validators/delegations.ts";
import { rewardVerdict } from "../../topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../topics/validators/validator-requirement.ts";
import { validator } from "../../topics/validators/validator.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { orWithout, selecting, type Matchers } from "./matchers.ts";
import { before, startOf, type Period } from "./period.ts";

/** A query at one time, Unix seconds. */
export type Query = { readonly expr: string; readonly at: number };

/** A state is known for an hour after its last sample. */
const RECENT = "1h";
const PRIMARY = { subnet: "primary" } as const;

type Named = Pick<Metric<never>, "name">;

/**
 * The queries of a report by the name of their result. Each answers with one sample a series, whatever the period: the points are
 * counted in Prometheus.
 */
export function queriesOf(period: Period, more: Matchers) {
  const end = period.until;
  const start = startOf(period);
  const recent = (metric: Named, matchers: Readonly<Record<string, string>> = {}): string =>
    `last_over_time(${selecting(metric, matchers, more)}[${RECENT}])`;
  // Observers and exporters can be several: the median of the ones, any of the others.
  const one = (by: string, expr: string): string => `max by (${by}) (${expr})`;
  const median = (metric: Named): string => `quantile by (network, node_id) (0.5, ${recent(metric, PRIMARY)})`;
  const ofValidator = (metric: Named): string => one("network, node_id", recent(metric, PRIMARY));
  const ofL1 = (metric: Named): string => one("network, subnet, node_id, validation_id", recent(metric));
  // A second less than the period, so that releases which include its first moment and others count the same points.
  const points = ({ length, step, reach }: Period): string =>
    `(max by (node) (last_over_time(${selecting(polling.metrics.up, {}, more)}[${reach}s])))[${length - 1}s:${step}s]`;
  const lastSeen = `max_over_time(timestamp(${selecting(identity.metrics.node, {}, more)})[${period.length}s:${Math.max(period.step, 300)}s])`;
  const previous = before(period);
  return {
    up: { expr: `sum_over_time(${points(period)})`, at: end },
    known: { expr: `count_over_time(${points(period)})`, at: end },
    upBefore: { expr: `sum_over_time(${points(previous)})`, at: previous.until },
    knownBefore: { expr: `count_over_time(${points(previous)})`, at: previous.until },
    nodes: {
      expr: one(
        "node, network",
        `last_over_time(${selecting(nodeLabels.metrics.configured, {}, more)}[${period.length}s])`,
      ),
      at: end,
    },
    versions: { expr: one("node, version", lastSeen), at: end },
    ready: { expr: one("node", recent(upgradeReadiness.metrics.ready)), at: end },
    upgrades: { expr: one("network", recent(upgradeReadiness.metrics.time)), at: end },
    readyStake: { expr: one("network", recent(upgradeReadiness.metrics.readyStake)), at: end },
    names: { expr: one("network, node_id, name", recent(validator.metrics.info)), at: end },
    inSet: { expr: ofValidator(validator.metrics.active), at: end },
    margin: { expr: median(rewardVerdict.metrics.margin), at: end },
    requirement: { expr: ofValidator(validatorRequirement.metrics.requirement), at: end },
    budget: { expr: median(rewardVerdict.metrics.budget), at: end },
    budgetBefore: { expr: median(rewardVerdict.metrics.budget), at: start },
    wholeBudget: { expr: ofValidator(validatorRequirement.metrics.wholeBudget), at: end },
    reward: { expr: ofValidator(validator.metrics.reward), at: end },
    stakeStart: { expr: ofValidator(validator.metrics.start), at: end },
    stakeEnd: { expr: ofValidator(validator.metrics.end), at: end },
    nextPeriod: { expr: ofValidator(validator.metrics.nextPeriod), at: end },
    delegated: { expr: `sum by (remaining) (${one("node, remaining", recent(delegations.metrics.ending))})`, at: end },
    unrewarded: { expr: `sum(${one("node", recent(delegations.metrics.unrewarded))})`, at: end },
    balance: { expr: ofL1(l1Validator.metrics.balance), at: end },
    runway: { expr: ofL1(l1Runway.metrics.runway), at: end },
    subnets: { expr: one("network, subnet, name", recent(subnets.metrics.info)), at: end },
  } as const satisfies Readonly<Record<string, Query>>;
}

export type QueryName = keyof ReturnType<typeof queriesOf>;

const OURS = { alertname: "=~Avax.+" } as const;
/** Series that Prometheus writes for each alert; a name and its labels are as its rules give them. */
const ALERTS = { name: "ALERTS" } as const;
const SINCE = { name: "ALERTS_FOR_STATE" } as const;

/** When the condition of each firing alert began, at each point of the period, Unix seconds. */
export function episodesQuery({ step }: Pick<Period, "step">, more: Matchers): string {
  const also = orWithout(more);
  const firing = selecting(ALERTS, { ...OURS, alertstate: "firing" }, also);
  return `last_over_time(${selecting(SINCE, OURS, also)}[${step}s]) and ignoring (alertstate) last_over_time(${firing}[${step}s])`;
}

/** The number of series of `episodesQuery` in the period, which limits how many points each can have. */
export function alertCountQuery({ length, until }: Period, more: Matchers): Query {
  const firing = selecting(ALERTS, { ...OURS, alertstate: "firing" }, orWithout(more));
  return { expr: `count(count_over_time(${firing}[${length}s]))`, at: until };
}
