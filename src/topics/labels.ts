import type { TargetFacts } from "../api/endpoint.ts";

/** Label values that more than one topic uses, and bounds for what strangers choose. */

/** The alias of a chain where the configuration or the node has one, else the ID as the node says it. */
export function chainLabel(facts: TargetFacts, idOrAlias: string): string {
  return facts.chains.find(({ id }) => id === idOrAlias)?.label ?? idOrAlias;
}

/** Names that health checks have besides chains. Source: the specification's "Check names seen", and AvalancheGo. */
const GLOBAL_CHECKS: ReadonlySet<string> = new Set([
  "bls",
  "bootstrapped",
  "database",
  "diskspace",
  "futureupgrade",
  "network",
  "router",
  "shuttingDown",
  "validation",
]);

/** True when a health check is a chain's: not a global one. */
export function isChainCheck(name: string): boolean {
  return !GLOBAL_CHECKS.has(name);
}

/** How many label values of a stranger's choosing one series set may have; the rest is counted as `other`. */
const MOST = 30;
const OTHER = "other";

/** Sums values by a stranger's text: the largest under their own name, the others together as `other`. */
export function topByName(
  entries: Iterable<readonly [name: string, value: number]>,
  most = MOST,
): ReadonlyArray<readonly [string, number]> {
  const sums = new Map<string, number>();
  for (const [name, value] of entries) sums.set(name, (sums.get(name) ?? 0) + value);
  const sorted = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (sorted.length <= most) return sorted;
  // A stranger may be called `other` too: that one is never shown beside the sum of the rest.
  const named = sorted.filter(([name]) => name !== OTHER);
  const rest = named.slice(most).reduce((sum, [, value]) => sum + value, sums.get(OTHER) ?? 0);
  return [...named.slice(0, most), [OTHER, rest]];
}

/** Sums values into ranges by upper bounds; every range is there, an empty one as 0. The last range is open. */
export function byRange(
  bounds: readonly number[],
  names: readonly string[],
  entries: Iterable<readonly [at: number, value: number]>,
): ReadonlyArray<readonly [range: string, sum: number]> {
  const sums = names.map(() => 0);
  for (const [at, value] of entries) {
    const found = bounds.findIndex((bound) => at < bound);
    const index = found === -1 ? names.length - 1 : found;
    sums[index] = (sums[index] ?? 0) + value;
  }
  return names.map((name, index) => [name, sums[index] ?? 0]);
}

/** Ranges of uptime, as ratios: fine around 80 and 90 %, where rewards are decided. */
export const UPTIME_BOUNDS = [0.5, 0.8, 0.9, 0.95, 0.99] as const;
export const UPTIME_RANGES = ["0-0.5", "0.5-0.8", "0.8-0.9", "0.9-0.95", "0.95-0.99", "0.99-1"] as const;
