import { z } from "zod";
import { MOST_MAXIMA, type Behind } from "./behind-since.ts";
import type { ByNode } from "./height-observations.ts";

/** How the time since nodes are behind outlives the process: a lag that goes on is not over because the exporter restarted. */

/** By chain. */
type Lags = ReadonlyMap<string, Behind>;

/** Seconds behind from which a chain is saved: nodes in order are a block behind for a moment, all the time. */
const WORTH_SAVING = 60;

const time = z.number().nonnegative();
const SAVED = z.array(
  z.object({
    chain: z.string(),
    maxima: z.array(z.tuple([z.number(), time])).max(MOST_MAXIMA),
    nodes: z.array(z.tuple([z.string(), time])),
    fell: z.array(z.tuple([z.string(), time])),
  }),
);

/** The chains with a node that is behind, as plain data; those that were remembered and are not in use yet stay as they are. */
export function savedBehind(lags: Lags, remembered: Lags) {
  const isBehind = ({ maxima, since }: Behind) =>
    [...since.values()].some((from) => (maxima.at(-1)?.at ?? 0) - from > WORTH_SAVING);
  return [...remembered, ...[...lags].filter(([, behind]) => isBehind(behind))].map(
    ([chain, { maxima, since, fell }]) => ({
      chain,
      nodes: [...since],
      maxima: maxima.map(({ height, at }) => [height, at]),
      fell: [...fell],
    }),
  );
}

/** @throws where saved data are not usable */
export function restoredBehind(saved: unknown): Lags {
  return new Map(
    SAVED.parse(saved).map(({ chain, maxima, nodes, fell }) => [
      chain,
      { maxima: maxima.map(([height, at]) => ({ height, at })), since: new Map(nodes), fell: new Map(fell) },
    ]),
  );
}

/** Whether all nodes that were behind have answered, and one that is as high as the highest was: before, nothing is known of the lag. */
export function isReached({ maxima, since }: Behind, nodes: ByNode<{ readonly height: number }>): boolean {
  const top = maxima.at(-1)?.height ?? 0;
  return [...since.keys()].every((node) => nodes.has(node)) && [...nodes.values()].some(({ height }) => height >= top);
}

/** What is remembered, continued with what was seen since the start. */
export function continued(remembered: Behind, { maxima, fell }: Behind): Behind {
  const top = remembered.maxima.at(-1)?.height ?? 0;
  return {
    maxima: [...remembered.maxima, ...maxima.filter(({ height }) => height > top)],
    // Times that were found before rest on less.
    since: new Map(),
    fell: new Map([...remembered.fell, ...fell]),
  };
}
