import type { Alert } from "../define/alert.ts";
import {
  CUT_OFF,
  DUPLICATED,
  EXECUTOR_STALLED,
  LEFT_BEHIND,
  NETWORK_HALTED,
  REPLACED,
  WRONG_KEY,
} from "../define/causes.ts";

/**
 * How long an alert holds back what it explains after it is over. For whoever is paged: what follows from it is over later, such as a node
 * that is connected again and catches up, and would page at the recovery. What explains one that lingers lingers longer. AvaxNodeDown
 * ends at once: when a blind exporter sees again, the nodes that are up must have no page.
 */
const LINGERING: ReadonlyMap<string, string> = new Map([
  ...[CUT_OFF, LEFT_BEHIND, EXECUTOR_STALLED].map(({ alert }) => [alert, "2m"] as const),
  // The share of failed queries falls below the page's limit a few minutes before that of the ticket.
  ["AvaxNodeQueriesLost", "3m"],
  // A node that is restarted with its upgrade refuses no blocks any more, and its chain still stands for minutes.
  ["AvaxNodeBlocksUnreadable", "7m"],
  ...[REPLACED, WRONG_KEY, DUPLICATED, NETWORK_HALTED].map(({ alert }) => [alert, "3m"] as const),
]);

/** `keep_firing_for` of an alert; `undefined` where it ends at once. */
export function lingeringOf({ name }: Pick<Alert, "name">): string | undefined {
  return LINGERING.get(name);
}
