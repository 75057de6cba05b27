import { forOurs, withMatchers, type More } from "../../../promql/with-matchers.ts";
import { ALERT_SERIES } from "./alert-series.ts";

const CHOSEN = forOurs(['job=~"$job"']);
const ALERTS: ReadonlySet<string> = new Set(Object.values(ALERT_SERIES).map(({ name }) => name));
/** Many alerts have no label of the scrape, because they are about several observers. */
const CHOSEN_ALERTS = ['job=~"$job|"'];

const ofChosen: More = (name) => (ALERTS.has(name) ? CHOSEN_ALERTS : CHOSEN(name));

/**
 * A query of the chosen scrape jobs alone, so that two exporters do not mix. The processes of one exporter that shares its nodes
 * are instances of one job, which belong together. Series of other exporters are left alone.
 */
export function ofChosenJobs(expr: string): string {
  return withMatchers(expr, ofChosen);
}
