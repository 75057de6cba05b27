import { z } from "zod";
import { mapNodes, type ByNode, type HeightHistory } from "./height-history.ts";

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

/** What an earlier process knew. */
export type Remembered = Behind & {
  /** Nodes whose height was asked for. That of a health check, which can answer first, is of C another one since Helicon. */
  readonly asked: ReadonlySet<string>;
};

/** What a later process needs. */
export const rememberedOf = (behind: Behind, nodes: ByNode<HeightHistory>): Remembered => ({
  ...behind,
  asked: new Set([...behind.since.keys()].filter((node) => kindOf(nodes, node) === "asked")),
});

const kindOf = (nodes: ByNode<HeightHistory>, node: string) => nodes.get(node)?.reading.kind;

export const NOT_BEHIND: Behind = { maxima: [], since: new Map(), fell: new Map() };

/** Number of maxima that are kept per chain. */
export const MOST_MAXIMA = 512;

/** The highest height of a chain that is known. */
export const topOf = ({ maxima }: Pick<Behind, "maxima">): number => maxima.at(-1)?.height ?? 0;

/**
 * The maxima after the present observations. Those that no node needs are dropped: up to the lowest height, and above the
 * highest one, which no node has any more after a reset of the chain or the departure of a node of another chain.
 */
export function addMaxima(before: readonly Maximum[], nodes: ByNode<HeightHistory>): readonly Maximum[] {
  const heights = [...nodes.values()].map(({ height }) => height);
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  const maxima = before.filter(({ height }) => height > lowest && height <= highest);
  for (const { height, to } of [...nodes.values()].sort((a, b) => a.to - b.to)) {
    if (height <= (maxima.at(-1)?.height ?? lowest)) continue;
    // Answers of one moment can be compared in two rounds: the earlier answer with the greater height covers the later one.
    while ((maxima.at(-1)?.at ?? -Infinity) >= to) maxima.pop();
    maxima.push({ height, at: to });
  }
  while (maxima.length > MOST_MAXIMA) maxima.splice(leastOf(maxima), 1);
  return maxima;
}

/**
 * The maximum whose loss changes the time behind by the smallest share. The nodes below it then seem to be behind since the next
 * one: a lag is understated, never overstated.
 */
function leastOf(maxima: readonly Maximum[]): number {
  const times = maxima.map(({ at }) => at);
  const now = times.at(-1) ?? 0;
  const losses = times.slice(2).map((next, index) => (next - (times[index] ?? now)) / (now - (times[index] ?? now)));
  return losses.indexOf(Math.min(...losses)) + 1;
}

/**
 * Since when each node is behind: when another one was first seen above its present height. Only a node with a lag is behind.
 * While it stays at its height, the time stays too, unless the highest nodes fell or left. A node whose height fell is behind
 * since then at the earliest.
 */
export function addBehind(last: Behind, before: ByNode<HeightHistory>, now: ByNode<HeightHistory>): Behind {
  const maxima = addMaxima(last.maxima, now);
  const fell = mapNodes(now, (node, { height, to, lag = 1 }) => {
    if (height < (before.get(node)?.height ?? 0)) return to;
    return lag > 0 ? last.fell.get(node) : undefined;
  });
  const isKept = topOf({ maxima }) >= topOf(last);
  const since = mapNodes(now, (node, { height, lag = 0 }) => {
    if (lag === 0) return undefined;
    const known = isKept && before.get(node)?.height === height ? last.since.get(node) : undefined;
    const first = maxima.find((maximum) => maximum.height > height)?.at;
    return known ?? (first === undefined ? undefined : Math.max(first, fell.get(node) ?? first));
  });
  return { maxima, since, fell };
}

/** What an earlier process knew, continued with what was seen since the start. Times that were found before rest on less. */
export function continued(remembered: Behind, { maxima, fell }: Behind): Behind {
  const higher = maxima.filter(({ height }) => height > topOf(remembered));
  return { maxima: [...remembered.maxima, ...higher], since: new Map(), fell: new Map([...remembered.fell, ...fell]) };
}

/**
 * Whether all nodes that were behind have answered as then, and one that is as high as the highest was: before, nothing is known of the
 * lag.
 */
export function isReached({ maxima, since, asked }: Remembered, nodes: ByNode<HeightHistory>): boolean {
  const isTop = [...nodes.values()].some(({ height }) => height >= topOf({ maxima }));
  const isRead = (node: string): boolean => kindOf(nodes, node) === "asked" || (nodes.has(node) && !asked.has(node));
  return isTop && [...since.keys()].every(isRead);
}

/** Seconds behind from which a chain is saved: nodes in order are a block behind for a moment, all the time. */
const WORTH_SAVING = 60;

export const isWorthSaving = ({ maxima, since }: Behind): boolean =>
  [...since.values()].some((from) => (maxima.at(-1)?.at ?? 0) - from > WORTH_SAVING);

const time = z.number().nonnegative();
const times = z.array(z.tuple([z.string(), time]));

/** How the time since nodes are behind outlives the process: a lag that goes on is not over because the exporter restarted. */
export const SAVED_BEHIND = z.array(
  z.object({
    chain: z.string(),
    maxima: z.array(z.object({ height: z.number(), at: time })).max(MOST_MAXIMA),
    since: times.transform((each) => new Map(each)),
    fell: times.transform((each) => new Map(each)),
    asked: z.array(z.string()).transform((each) => new Set(each)),
  }),
);
