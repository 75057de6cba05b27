import type { AlertGroup } from "../../topics/all/alerts.ts";
import type { Alert } from "../../topics/define/alert.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { WATCHDOG } from "../../topics/exporter/exporter-alerts.ts";
import { secondsOf } from "../../topics/all/alert-settings.ts";
import { lingeringOf } from "../../topics/all/lingering-of.ts";
import { selecting, type Matchers } from "../text/matchers.ts";
import { promqlOf } from "../../topics/define/condition.ts";
import { matcherText } from "../../topics/define/selector.ts";
import { MOST_POINTS } from "../report/report-period.ts";
import { PrometheusError, type PrometheusClient } from "../report/prometheus-client.ts";
import { createConditions, firingsOf, type FiringCondition, type Run } from "./firing.ts";
import { outcomesOf, type Episode, type NoticeOutcome } from "../report/notice-outcome.ts";

/** What is evaluated: points one step apart, after `from` up to `until`. Unix seconds. */
export type BacktestScope = {
  readonly from: number;
  readonly until: number;
  readonly step: number;
  readonly matchers: Matchers;
};

/** A condition that ended before `for`. */
export type Short = { readonly alert: Alert["name"]; readonly labels: FiringCondition["labels"]; readonly run: Run };

/** The alerts of one set of thresholds over the period. */
export type BacktestEvaluation = { readonly outcomes: readonly NoticeOutcome[]; readonly short: readonly Short[] };

/** An alert whose series do not exist in the period. */
export type Impossible = { readonly alert: string; readonly missing: readonly string[] };

/** Pieces of a range that Prometheus cannot evaluate are halved, down to this many points. */
const LEAST_POINTS = 500;

/** All reject with a `PrometheusError`. */
type Evaluator = {
  /** The points at which any node had been polled. */
  readonly covered: () => Promise<readonly Run[]>;
  /** @param earliest the point before the first sample, Unix seconds */
  readonly evaluate: (groups: readonly AlertGroup[], earliest: number) => Promise<BacktestEvaluation>;
};

/** Evaluates alerts on the series of a Prometheus. @param progress gets the share that is done */
export function createEvaluator(
  client: PrometheusClient,
  scope: BacktestScope,
  progress: (words: string) => void,
): Evaluator {
  const { from, until, step, matchers } = scope;
  const more = matchers.map(matcherText);
  const added = Object.fromEntries(
    matchers.filter(({ operator }) => operator === "=").map(({ label, value }) => [label, value]),
  );
  const known = new Map<string, readonly FiringCondition[]>();

  /** The points at which an expression had a result. */
  const held = async (expr: string, after: number): Promise<readonly FiringCondition[]> => {
    const conditions = createConditions(step);
    let points = MOST_POINTS;
    for (let at = after + step; at <= until;) {
      const last = Math.min(until, at + (points - 1) * step);
      const tracks = await client.range(expr, at, last, step).catch((error: unknown) => {
        if (error instanceof PrometheusError && error.isTooMuch && points > LEAST_POINTS) return undefined;
        throw error;
      });
      if (tracks === undefined) points = Math.ceil(points / 2);
      else {
        conditions.add(tracks);
        at = last + step;
      }
    }
    return conditions.all();
  };

  /** Those of an alert; earlier than the period where it can fire at its beginning. @param earliest the point before the first sample */
  const conditionsOf = async (alert: Alert, earliest: number): Promise<readonly FiringCondition[]> => {
    const { when, settings, severity } = alert;
    const expr = promqlOf(when, { settings, isPage: severity === "critical", more, inline: true });
    const before = secondsOf(alert) + lingeringOf(alert);
    const after = Math.max(earliest, from - Math.ceil(before / step) * step);
    const key = `${after} ${expr}`;
    const conditions = known.get(key) ?? (await held(expr, after));
    known.set(key, conditions);
    return conditions.map(({ labels, runs }) => ({ labels: { ...labels, ...added }, runs }));
  };

  return {
    async covered() {
      const [all] = await held(`count(${selecting(polling.metrics.up, {}, matchers)})`, from - LONGEST_WAIT);
      return all?.runs ?? [];
    },

    async evaluate(groups, earliest) {
      const alerts = judgedOf(groups);
      const episodes: Episode[] = [];
      const short: Short[] = [];
      for (const [index, alert] of alerts.entries()) {
        progress(`alert ${index + 1} of ${alerts.length}`);
        const { name, severity } = alert;
        for (const { labels, runs } of await conditionsOf(alert, earliest)) {
          const found = firingsOf(runs, { step, hold: secondsOf(alert), keep: lingeringOf(alert), end: until });
          episodes.push(...found.firings.map((firing) => ({ alert: name, severity, labels, ...firing })));
          short.push(...found.short.filter(([, last]) => last > from).map((run) => ({ alert: name, labels, run })));
        }
      }
      const inPeriod = episodes.filter((episode) => episode.until === undefined || episode.until > from);
      return { outcomes: outcomesOf(inPeriod, alerts, until), short };
    },
  };
}

/** The alerts whose series do not exist in the period; `undefined` where Prometheus does not list them. */
export async function neverPossible(
  client: PrometheusClient,
  { from, until, matchers }: BacktestScope,
  groups: readonly AlertGroup[],
): Promise<readonly Impossible[] | undefined> {
  const alerts = judgedOf(groups);
  const others = [...new Set(alerts.flatMap(familiesOf))].filter((name) => !name.startsWith("avax_"));
  const selectors = [
    `{${['__name__=~"avax_.+"', ...matchers.map(matcherText)].join(",")}}`,
    `{__name__=~"${others.join("|")}"}`,
  ];
  const names = await client.seriesNames(selectors, from, until);
  if (names === undefined) return undefined;
  return alerts
    .map((alert) => ({ alert: alert.name, missing: familiesOf(alert).filter((name) => !names.has(name)) }))
    .filter(({ missing }) => missing.length > 0);
}

/** An alert can hold for this long before the period, seconds: the longest `for`. */
const LONGEST_WAIT = 7 * 86_400;

/** All but the one that always fires. */
export function judgedOf(groups: readonly AlertGroup[]): readonly Alert[] {
  return groups.flatMap(({ alerts }) => alerts).filter(({ name }) => name !== WATCHDOG);
}

/** The families that the condition of an alert reads; none of one that is about their absence. */
function familiesOf({ when, settings }: Alert): readonly string[] {
  const found = new Set<string>();
  const expr = promqlOf(when, {
    settings,
    isPage: false,
    more: [],
    inline: true,
    reads: (read) => typeof read === "object" && "family" in read && found.add(read.family),
  });
  return expr.startsWith("absent(") ? [] : [...found];
}
