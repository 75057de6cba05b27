import type { Alert } from "../define/alert.ts";
import { ALERTS } from "./alerts.ts";

/**
 * How long an alert outlasts its condition. Otherwise what it explains would page the person on call just when all is well again.
 *
 * Most often both are over at once, and Prometheus tells Alertmanager so one after the other: rules of a group in milliseconds, those of
 * another group up to an interval later. Alertmanager sends at multiples of this interval, counted from the first evaluation in which the
 * explained alert fired, and so just then. Therefore a cause lasts longer than each alert that it explains.
 */

/** At least one more evaluation, two with the interval of the stack. Seconds. */
const LONGER = 30;

/** Where what an alert explains is over later than its condition. Seconds. */
const FOLLOWS: ReadonlyMap<Alert["name"], number> = new Map([
  // The share of failed queries falls below the page's limit a few minutes before that of the ticket.
  ["AvaxNodeQueriesLost", 180],
  // A node that is restarted with its upgrade refuses no blocks any more, and its chain still stands for minutes.
  ["AvaxNodeBlocksUnreadable", 420],
]);

const RESTARTING = "AvaxNodeRestarting";
/** After an outage of an exporter, what fires rests on new samples, and must not wait. What a restart explains does not end with it. */
const AT_ONCE: ReadonlySet<Alert["name"]> = new Set(["AvaxExporterAbsent", RESTARTING]);

const explains = (cause: Alert["name"], { explainedBy = [] }: Alert): boolean =>
  explainedBy.some(({ alert }) => alert === cause);

/** A node that answers again has restarted: what both explain is held back for ten minutes more. */
function isHeldBackByRestart(cause: Alert["name"], alert: Alert): boolean {
  const isOutage = ALERTS.some((each) => each.name === RESTARTING && explains(cause, each));
  return isOutage && (alert.name === RESTARTING || explains(RESTARTING, alert));
}

function secondsAfter(cause: Alert["name"]): number {
  if (AT_ONCE.has(cause)) return 0;
  const following = ALERTS.filter((alert) => explains(cause, alert) && !isHeldBackByRestart(cause, alert));
  return Math.max(FOLLOWS.get(cause) ?? 0, ...following.map(({ name }) => secondsAfter(name) + LONGER));
}

const LINGERING: ReadonlyMap<Alert["name"], number> = new Map(ALERTS.map(({ name }) => [name, secondsAfter(name)]));

/** `keep_firing_for` of an alert, seconds; 0 where it ends with its condition. */
export function lingeringOf({ name }: Pick<Alert, "name">): number {
  return LINGERING.get(name) ?? 0;
}
