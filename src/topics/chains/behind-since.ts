import { mapNodes, type ByNode, type History } from "./height-observations.ts";

/** A height above all earlier ones of a chain's nodes, and when the first answer with it was complete. Unix seconds. */
export type Maximum = { readonly height: number; readonly at: number };

/** Since when nodes of one chain are behind. */
export type Behind = {
  /** Rising in height and in time. */
  readonly maxima: readonly Maximum[];
  /** Unix seconds by node; absent while it keeps up. */
  readonly since: ByNode<number>;
  /** By node, when its height fell: another chain began, or it resyncs. Kept until it has caught up. */
  readonly fell: ByNode<number>;
};

export const NOT_BEHIND: Behind = { maxima: [], since: new Map(), fell: new Map() };

/** Number of maxima that are kept per chain. */
export const MOST_MAXIMA = 512;

/**
 * The maxima after the present observations. Those that no node needs are dropped: up to the lowest height, and above the
 * highest one, which no node has any more after a reset of the chain or the departure of a node of another chain.
 */
export function addMaxima(before: readonly Maximum[], nodes: ByNode<History>): readonly Maximum[] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { height } of nodes.values()) {
    lowest = Math.min(lowest, height);
    highest = Math.max(highest, height);
  }
  const maxima = before.filter(({ height }) => height > lowest && height <= highest);
  const known = maxima.at(-1)?.height ?? lowest;
  const higher = [...nodes.values()].filter(({ height }) => height > known).sort((a, b) => a.to - b.to);
  for (const { height, to } of higher) {
    if (height <= (maxima.at(-1)?.height ?? lowest)) continue;
    // Answers of one moment can be compared in two rounds: the earlier answer with the greater height covers the later one.
    while ((maxima.at(-1)?.at ?? -Infinity) >= to) maxima.pop();
    maxima.push({ height, at: to });
  }
  while (maxima.length > MOST_MAXIMA) thin(maxima, maxima.at(-1)?.at ?? 0);
  return maxima;
}

/**
 * Drops the maximum whose loss changes the time behind by the smallest share. The nodes below it seem to be behind since the
 * next one: a lag is understated, never overstated.
 */
function thin(maxima: Maximum[], now: number): void {
  let [least, dropped] = [Infinity, 1];
  for (let index = 1; index < maxima.length - 1; index++) {
    const [previous, next] = [maxima[index - 1]?.at ?? now, maxima[index + 1]?.at ?? now];
    // Heights from the previous maximum on seem to be first seen at the next one.
    const loss = (next - previous) / (now - previous);
    if (loss < least) [least, dropped] = [loss, index];
  }
  maxima.splice(dropped, 1);
}

const topOf = (maxima: readonly Maximum[]): number => maxima.at(-1)?.height ?? 0;

/** When the first of the maxima above this height was seen. */
function firstAbove(maxima: readonly Maximum[], height: number): number | undefined {
  let [low, high] = [0, maxima.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((maxima[middle]?.height ?? Infinity) > height) high = middle;
    else low = middle + 1;
  }
  return maxima[low]?.at;
}

/**
 * Since when each node is behind: when another one was first seen above its present height. Only a node with a lag is behind.
 * While it stays at its height, the time stays too, unless the highest nodes fell or left. A node whose height fell is behind
 * since then at the earliest.
 */
export function addBehind(
  last: Behind,
  before: ByNode<History>,
  now: ByNode<History>,
  maxima: readonly Maximum[],
  lags: ByNode<number>,
): Behind {
  const fell = mapNodes(now, (node, { height, to }) => {
    const earlier = before.get(node)?.height;
    if (earlier !== undefined && height < earlier) return to;
    return (lags.get(node) ?? 1) > 0 ? last.fell.get(node) : undefined;
  });
  const isKept = topOf(maxima) >= topOf(last.maxima);
  const since = mapNodes(now, (node, { height }) => {
    if ((lags.get(node) ?? 0) === 0) return undefined;
    const known = isKept && before.get(node)?.height === height ? last.since.get(node) : undefined;
    if (known !== undefined) return known;
    const first = firstAbove(maxima, height);
    return first === undefined ? undefined : Math.max(first, fell.get(node) ?? first);
  });
  return { maxima, since, fell };
}
