import { ALERTS } from "../../src/topics/all/alerts.ts";
import { isPromql, seriesOf } from "../../src/topics/define/condition.ts";
import { type Alert, isOfValidator } from "../../src/topics/define/alert.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** Labels that the exporter adds to series: the names of what they are about. */
export const NAMES: readonly string[] = ["name", "subnet_name"];

/** The labels that each alert can carry when it fires, those of a scrape included: from its condition, not from a case of it. */
export function alertLabels(): ReadonlyMap<string, readonly string[]> {
  return new Map(ALERTS.map((alert) => [alert.name, labelsOf(alert)]));
}

function labelsOf(alert: Alert): readonly string[] {
  const { when, labels } = alert;
  // What PromQL gives is proved by promtool alone.
  if (when === undefined || isPromql(when))
    return [...labels, ...(isOfValidator(alert) ? ["name", "node"] : []), "instance", "job"];
  const { metric } = seriesOf(when);
  return (VOCABULARY.get(metric.name) ?? []).filter((label) => when.perExporter === true || label !== "instance");
}
