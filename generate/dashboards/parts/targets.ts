import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { forOurs, withMatchers, type MoreMatchers } from "../../../src/topics/define/with-matchers.ts";
import { ALERT_SERIES } from "./alert-series.ts";

export const DATASOURCE = { type: "prometheus", uid: "${datasource}" };

/** A query and its legend, with placeholders such as `{{node}}`. */
export type PanelQuery = readonly [expr: string, legend: string];

/** The queries of a panel: an expression that has the legend of its row, one with its own legend, or several. */
export type PanelQueries = string | PanelQuery | readonly PanelQuery[];

/** The queries with their legends; `legend` is that of the row. */
export function asked(figures: PanelQueries, legend: string): readonly PanelQuery[] {
  if (typeof figures === "string") return [[figures, legend]];
  return isQuery(figures) ? [figures] : figures;
}

const isQuery = (figures: PanelQuery | readonly PanelQuery[]): figures is PanelQuery => typeof figures[0] === "string";

/** A query of the chosen exporters. */
export function query(expr: string, legend: string, index: number): DataqueryBuilder {
  return new DataqueryBuilder()
    .expr(ofChosenExporters(expr))
    .legendFormat(legend)
    .refId(refId(index))
    .datasource(DATASOURCE);
}

/** Grafana's name of a query by its index: A to Z. */
export function refId(index: number): string {
  return String.fromCharCode(65 + index);
}

const CHOSEN = forOurs(['job=~"$job"', 'instance=~"$instance"']);
/** Some recorded series are about all exporters of a job. */
const CHOSEN_RECORDED = forOurs(['job=~"$job"', 'instance=~"$instance|"']);
const ALERTS: ReadonlySet<string> = new Set(Object.values(ALERT_SERIES).map(({ name }) => name));
/** Many alerts have no label of the scrape, because they are about several observers. */
const CHOSEN_ALERTS = ['job=~"$job|"', 'instance=~"$instance|"'];

const ofChosen: MoreMatchers = (name) => {
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
