/** A height of a node, and what is needed to judge it. Times are Unix seconds. */
type Sighting = {
  readonly node: string;
  readonly height: number;
  /** Of the answer. */
  readonly at: number;
  /** Of the first answer with this height. */
  readonly since: number;
  /** Its last height that was believed; `undefined` before the first one. */
  readonly before: { readonly height: number; readonly at: number } | undefined;
  /** Whether its height has risen within the last few answers. */
  readonly moves: boolean;
};

/** A height that is not believed, and by how many blocks it is above that of every other node. */
export type Doubted = { readonly node: string; readonly blocks: number };

/** Blocks that a node can be ahead of the others or of itself at any time: a burst, and the time between polls. */
const MARGIN = 100;
/** No chain in use makes more blocks a second for long; C makes less than one. */
const PACE = 10;

const allows = (height: number, at: number, from: { readonly height: number; readonly at: number }): boolean =>
  height <= from.height + MARGIN + PACE * Math.max(0, at - from.at);

/**
 * The node whose height is to be left out of comparisons, because one liar would make all honest nodes lag: it is above every
 * other node by more than the time since the next one last moved allows, and it jumped there, or two others move side by side.
 * Without either the others may just be stalled, as when the exporter starts. It is doubted until another node confirms it.
 */
export function doubtedHeight(sightings: readonly Sighting[], was: string | undefined): Doubted | undefined {
  let top: Sighting | undefined;
  let next: Sighting | undefined;
  for (const each of sightings) {
    if (top === undefined || each.height > top.height) [top, next] = [each, top];
    else if (next === undefined || each.height > next.height) next = each;
  }
  if (top === undefined || next === undefined) return undefined;
  const { node, height, at, before } = top;
  const { height: second, since } = next;
  if (allows(height, at, { height: second, at: since })) return undefined;
  const jumped = before !== undefined && !allows(height, at, before);
  const sideBySide = () =>
    sightings.filter((each) => each.moves && Math.abs(each.height - second) <= MARGIN).length >= 2;
  return was === node || jumped || sideBySide() ? { node, blocks: height - second } : undefined;
}
