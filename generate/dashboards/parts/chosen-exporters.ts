import { forOurs, withMatchers, type More } from "../../../src/topics/define/with-matchers.ts";
import { ALERT_SERIES } from "./alert-series.ts";

const CHOSEN = forOurs(['job=~"$job"', 'instance=~"$instance"']);
/** Some recorded series are about all exporters of a job. */
const CHOSEN_RECORDED = forOurs(['job=~"$job"', 'instance=~"$instance|"']);
const ALERTS: ReadonlySet<string> = new Set(Object.values(ALERT_SERIES).map(({ name }) => name));
/** Many alerts have no label of the scrape, because they are about several observers. */
const CHOSEN_ALERTS = ['job=~"$job|"', 'instance=~"$instance|"'];

const ofChosen: More = (name) => {
  if (ALERTS.has(name)) return CHOSEN_ALERTS;
  return name.includes(":") ? CHOSEN_RECORDED(name) : CHOSEN(name);
};

/**
 * A query of the chosen scrape jobs and exporters alone, so that two exporters do not mix. The processes of one exporter that shares
 * its nodes are instances of one job, which belong together: at first all are chosen. Series of others are left alone.
 */
export function ofChosenExporters(expr: string): string {
  return withMatchers(expr, ofChosen);
}
