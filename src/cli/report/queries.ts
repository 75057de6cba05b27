import type { Metric } from "../../topics/define/metric.ts";
import { identity, nodeLabels } from "../../topics/node/identity.ts";
import { delegations } from "../../topics/validators/delegations.ts";
import { reward } from "../../topics/validators/reward.ts";
import { validatorRequirement } from "../../topics/validators/validator-requirement.ts";
import { validator } from "../../topics/validators/validator.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { orWithout, selecting, type Matchers } from "../text/matchers.ts";
import type { ReportPeriod } from "./report-period.ts";

/** A state is known for an hour after its last sample. */
const RECENT = "1h";
const PRIMARY = { subnet: "primary" } as const;

type Named = Pick<Metric<never>, "name">;
type Asked = ReportPeriod & { readonly more: Matchers };
type Query = (asked: Asked) => string;

const recent = (metric: Named, { more }: Asked, matchers: Readonly<Record<string, string>> = {}, offset = ""): string =>
  `last_over_time(${selecting(metric, matchers, more)}[${RECENT}]${offset})`;
const earlier = ({ length }: Asked): string => ` offset ${length}s`;
// Exporters can be several: any of them.
const one = (by: string, expr: string): string => `max by (${by}) (${expr})`;
const ofValidator =
  (metric: Named): Query =>
  (asked) =>
    one("network, node_id", recent(metric, asked, PRIMARY));
// A second less than the period, so that releases which include its first moment and others count the same points.
const points = ({ length, step, reach, more }: Asked): string =>
  `(max by (node) (last_over_time(${selecting(polling.metrics.up, {}, more)}[${reach}s])))[${length - 1}s:${step}s]`;

/**
 * The queries of a report by the name of their result, for its end. Each answers with one sample a series, whatever the period: the
 * points are counted in Prometheus.
 */
export const QUERIES = {
  up: (asked) => `sum_over_time(${points(asked)})`,
  known: (asked) => `count_over_time(${points(asked)})`,
  upBefore: (asked) => `sum_over_time(${points(asked)}${earlier(asked)})`,
  knownBefore: (asked) => `count_over_time(${points(asked)}${earlier(asked)})`,
  nodes: ({ length, more }) =>
    one("node, network", `last_over_time(${selecting(nodeLabels.metrics.configured, {}, more)}[${length}s])`),
  versions: (asked) => one("node, version", recent(identity.metrics.node, asked)),
  names: (asked) => one("network, node_id, name", recent(validator.metrics.info, asked)),
  inSet: ofValidator(validator.metrics.active),
  margin: ofValidator(reward.metrics.margin),
  scarce: ofValidator(reward.metrics.scarce),
  shortfall: ofValidator(reward.metrics.shortfall),
  requirement: ofValidator(validatorRequirement.metrics.requirement),
  budget: ofValidator(reward.metrics.left),
  budgetBefore: (asked) => one("network, node_id", recent(reward.metrics.left, asked, PRIMARY, earlier(asked))),
  wholeBudget: ofValidator(validatorRequirement.metrics.wholeBudget),
  reward: ofValidator(validator.metrics.reward),
  stakeStart: ofValidator(validator.metrics.start),
  stakeEnd: ofValidator(validator.metrics.end),
  nextPeriod: ofValidator(validator.metrics.nextPeriod),
  delegated: (asked) => `sum by (remaining) (${one("node, remaining", recent(delegations.metrics.ending, asked))})`,
  unrewarded: (asked) => `sum(${one("node", recent(delegations.metrics.unrewarded, asked))})`,
} as const satisfies Readonly<Record<string, Query>>;

export type QueryName = keyof typeof QUERIES;

const OURS = { alertname: "=~Avax.+" } as const;
/** Series that Prometheus writes for each alert; a name and its labels are as its rules give them. */
const ALERTS = { name: "ALERTS" } as const;
const SINCE = { name: "ALERTS_FOR_STATE" } as const;

/** When the condition of each firing alert began, at each point of the period, Unix seconds. */
export function episodesQuery({ step }: Pick<ReportPeriod, "step">, more: Matchers): string {
  const also = orWithout(more);
  const firing = selecting(ALERTS, { ...OURS, alertstate: "firing" }, also);
  return `last_over_time(${selecting(SINCE, OURS, also)}[${step}s]) and ignoring (alertstate) last_over_time(${firing}[${step}s])`;
}
