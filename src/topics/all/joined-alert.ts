import type { Cause, Declared } from "../define/alert.ts";

/** Whether an alert is about a validator, and gets a name. */
export function isOfValidator({ labels }: Pick<Declared, "labels">): boolean {
  return labels.includes("node_id") && labels.includes("network") && !labels.includes("node");
}

/** Adds the cause that explains every alert: an exporter that is absent. */
export function explained(alert: Declared): Declared {
  if (alert.severity === "none" || WITHOUT_SIGHT.includes(alert.name)) return alert;
  return { ...alert, explainedBy: [...(alert.explainedBy ?? []), ABSENT] };
}

const WITHOUT_SIGHT: ReadonlyArray<Declared["name"]> = [
  "AvaxExporterAbsent",
  "AvaxExporterCannotPoll",
  "AvaxExporterShardMissing",
];
const ABSENT: Cause = {
  alert: "AvaxExporterAbsent",
  equal: [],
  why: "No scrape succeeds: alerts that still fire rest on old samples.",
};
