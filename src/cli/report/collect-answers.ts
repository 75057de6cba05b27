import { incidentsOf } from "./incidents-of.ts";
import type { Matchers } from "../text/matchers.ts";
import type { Episode } from "./notice-outcome.ts";
import { before, startOf, type ReportPeriod } from "./report-period.ts";
import { NO_SERIES, PrometheusError, type PrometheusClient, type RangeSeries } from "./prometheus-client.ts";
import { episodesQuery, QUERIES, type QueryName } from "./queries.ts";

/** The answers of Prometheus to all queries of a report. */
export type QueryAnswers = {
  readonly states: Record<QueryName, readonly RangeSeries[]>;
  readonly incidents: readonly Episode[];
  readonly incidentsBefore: readonly Episode[];
  /** Whether this Prometheus evaluates the alerts of the exporter; `undefined` where it does not list its rules. */
  readonly hasRules: boolean | undefined;
};

/** Points of an alert: a thousand alerts that fire all the time have some 50 MB. */
const MOST_ALERT_POINTS = 2_000;

/** Sends all queries, one after the other. Rejects with a `PrometheusError`. */
export async function collectAnswers(
  client: PrometheusClient,
  period: ReportPeriod,
  matchers: Matchers,
): Promise<QueryAnswers> {
  const found: Array<readonly [string, readonly RangeSeries[]]> = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    const tracks = await client.instant(query({ ...period, more: matchers }), period.until);
    if (name === "known" && tracks.length === 0) throw new PrometheusError(NO_SERIES);
    found.push([name, tracks]);
  }
  const names = await client.alertNames();
  return {
    // Each query has its answer.
    states: Object.fromEntries(found) as Record<QueryName, readonly RangeSeries[]>,
    incidents: await incidentsIn(client, period, matchers),
    incidentsBefore: await incidentsIn(client, before(period), matchers),
    hasRules: names === undefined ? undefined : [...names].some((name) => name.startsWith("Avax")),
  };
}

/** The incidents of a period, from points at each step. */
async function incidentsIn(client: PrometheusClient, period: ReportPeriod, matchers: Matchers) {
  const step = period.step * Math.ceil(period.length / period.step / MOST_ALERT_POINTS);
  const query = episodesQuery({ step }, matchers);
  const tracks = await client.range(query, startOf(period) + step, period.until, step);
  return incidentsOf(tracks, step, period.until);
}
