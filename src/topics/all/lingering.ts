import type { Alert } from "../define/alert.ts";
import { NETWORK_HALTED, NODE_BROKEN } from "../define/causes.ts";

/** Alerts about what breaks a node or halts a network. */
const CAUSES: ReadonlySet<string> = new Set([...NODE_BROKEN, NETWORK_HALTED].map(({ alert }) => alert));

/**
 * How long these hold back what they explain after they are over. For whoever is paged: what follows from them is over later, such as a
 * node that is connected again and catches up, and would page at the recovery.
 */
const LINGERING = "2m";

/** `keep_firing_for` of an alert; `undefined` where it ends at once. */
export function lingeringOf({ name }: Pick<Alert, "name">): string | undefined {
  return CAUSES.has(name) ? LINGERING : undefined;
}
