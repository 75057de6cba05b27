import type { Chain, Source, TargetFacts } from "../api/endpoint.ts";
import type { Sample } from "../exposition/sample.ts";
import { perRow, type Context, type RowMetrics } from "./define/metric.ts";

/** Label values that several topics use, and bounds for values that third parties choose. */

/** Labels of the chains that every node has. */
export const PRIMARY_CHAINS: ReadonlySet<string> = new Set(["P", "X", "C"]);

/** A chain that the configuration names, whichever nodes serve it, by its ID or label. */
export function knownChain({ knownChains }: Pick<TargetFacts, "knownChains">, idOrLabel: string): Chain | undefined {
  return knownChains.find(({ id }) => id === idOrLabel) ?? knownChains.find(({ label }) => label === idOrLabel);
}

/** Whether the nodes of the network must be reached over the internet. */
export const isOnInternet = ({ knownNetwork }: TargetFacts): boolean =>
  knownNetwork === "mainnet" || knownNetwork === "fuji";

/** The alias of a chain where the configuration or the node has one, else its ID. */
export function chainLabel(facts: TargetFacts, idOrAlias: string): string {
  return knownChain(facts, idOrAlias)?.label ?? idOrAlias;
}

/** One sample for each chain. @param answers by blockchain ID or alias */
export function chainRows<A, V>(
  answers: ReadonlyMap<string, A>,
  facts: TargetFacts,
  read: (answer: A, id: string) => V,
): ReadonlyArray<Sample<"chain", V>> {
  return [...answers].map(([id, answer]) => [{ chain: chainLabel(facts, id) }, read(answer, id)]);
}

/** Metrics of the answers to a need with one answer for each chain. */
export const perChain = <K extends string, A>(
  need: K,
  _source: Source<A, true>,
): RowMetrics<Readonly<Record<K, ReadonlyMap<string, A>>>, "chain", A, Context> =>
  perRow({ labels: ["chain"], of: (data, context) => chainRows(data[need], context, (answer) => answer) });

/** Names of health checks that are not chains. Source: the specification's "Check names seen", and AvalancheGo. */
export const GLOBAL_CHECKS: ReadonlySet<string> = new Set([
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

/** True when a health check belongs to a chain. */
export function isChainCheck(name: string): boolean {
  return !GLOBAL_CHECKS.has(name);
}

/** Maximum of names of a list that a server chooses; a release has some twenty upgrades, ten proposals and three VMs. */
const MOST_NAMES = 100;

/** The first of a list that a server chooses and whose names become labels: each other one would be a series for ever. */
export function someNamed<T>(
  entries: Readonly<Record<string, T>> | ReadonlyMap<string, T>,
): ReadonlyArray<readonly [string, T]> {
  const all = entries instanceof Map ? (entries as ReadonlyMap<string, T>).entries() : Object.entries(entries).values();
  return [...all.take(MOST_NAMES)];
}

/** Maximum of label values that third parties choose in one family; the others are summed as `other`. */
const MOST = 30;
const OTHER = "other";

/** Sums values by a name that third parties choose: the largest by name, the rest as `other`. */
export function topByName(
  entries: Iterable<readonly [name: string, value: number]>,
  most = MOST,
): ReadonlyArray<readonly [string, number]> {
  const sums = new Map<string, number>();
  for (const [name, value] of entries) sums.set(name, (sums.get(name) ?? 0) + value);
  const sorted = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (sorted.length <= most) return sorted;
  // A name can itself be `other`: its value is added to the sum of the rest.
  const named = sorted.filter(([name]) => name !== OTHER);
  const rest = named.slice(most).reduce((sum, [, value]) => sum + value, sums.get(OTHER) ?? 0);
  return [...named.slice(0, most), [OTHER, rest]];
}

/** Sums values by range. `bounds` are exclusive upper bounds; the last range has none. Empty ranges are 0. */
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

/** Ranges of uptime ratios, narrow around 80 and 90 %, which decide about rewards. */
export const UPTIME_BOUNDS = [0.5, 0.8, 0.9, 0.95, 0.99] as const;
export const UPTIME_RANGES = ["0-0.5", "0.5-0.8", "0.8-0.9", "0.9-0.95", "0.95-0.99", "0.99-1"] as const;
