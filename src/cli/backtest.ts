import type { ExitCode, System } from "../daemon/system.ts";
import { ALERT_GROUPS, alertGroups } from "../topics/all/alerts.ts";
import { backtestDocument } from "./backtest/backtest-document.ts";
import { createEvaluator, judgedOf, neverPossible, type BacktestScope } from "./backtest/create-evaluator.ts";
import { backtestSummary } from "./backtest/backtest-summary.ts";
import { settingsOf } from "./export/settings-of.ts";
import type { Flags } from "./flags.ts";
import { printFromPrometheus } from "./report.ts";
import { NO_SERIES, PrometheusError, type PrometheusClient } from "./report/prometheus-client.ts";
import { withProgress } from "./text/with-progress.ts";

const MONTH = 30 * 86_400;
/** Prometheus's own evaluation interval, seconds. */
const MINUTE = 60;

/** Prints what the alerts would have sent in a period with these thresholds, beside the shipped ones. */
export async function backtest(flags: Flags, system: System): Promise<ExitCode> {
  const { step = MINUTE, selector: matchers = [] } = flags;
  const chosen = settingsOf("backtest", flags, system);
  if ("code" in chosen) return chosen.code;
  const isChanged = chosen.settings.size > 0;
  return printFromPrometheus("backtest", flags, system, MONTH, async ({ client, url, since, until: time }) => {
    const until = Math.floor(time / step) * step;
    const scope = { until, from: until - Math.ceil(since / step) * step, step, matchers };
    let words = `asking ${url}`;
    const result = backtested(client, scope, alertGroups(chosen.settings), isChanged, (now) => (words = now));
    const found = await withProgress(system, () => words, result);
    return { found, document: (most) => backtestDocument(found, most) };
  });
}

/** The figures of a period. @param isChanged whether the groups are other than the shipped ones */
async function backtested(
  client: PrometheusClient,
  scope: BacktestScope,
  groups: typeof ALERT_GROUPS,
  isChanged: boolean,
  progress: (words: string) => void,
) {
  const evaluator = createEvaluator(client, scope, progress);
  const covered = await evaluator.covered();
  const [first] = covered;
  if (first === undefined || (covered.at(-1)?.[1] ?? 0) <= scope.from) throw new PrometheusError(NO_SERIES);
  // Before the first sample nothing is known, and the alert for an absent exporter would fire.
  const earliest = first[0] - scope.step;
  const chosen = await evaluator.evaluate(groups, earliest);
  const shipped = isChanged ? await evaluator.evaluate(ALERT_GROUPS, earliest) : undefined;
  const impossible = await neverPossible(client, scope, groups);
  const { from, until, step } = scope;
  const alerts = judgedOf(groups);
  return backtestSummary({ scope: { from, until, step }, covered, alerts, chosen, shipped, neverPossible: impossible });
}
