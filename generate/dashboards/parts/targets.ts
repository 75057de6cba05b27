import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { ofChosenExporters } from "./chosen-exporters.ts";

export const DATASOURCE = { type: "prometheus", uid: "${datasource}" };

/** A query and its legend, with placeholders such as `{{node}}`. */
export type Query = readonly [expr: string, legend: string];

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
