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
  /** The pace of its believed heights. */
  readonly pace?: Pace | undefined;
};

/** A height that is not believed, and by how many blocks it is above that of every other node. */
export type Doubted = { readonly node: string; readonly blocks: number };

/** How fast the heights of a node rise: blocks a second since `from`, for long of the last half hour. */
export type Pace = { readonly from: number; readonly height: number; readonly at: number; readonly rate: number };

const REMEMBERED = 1800;
/** A pace is known after a few polls. Seconds. */
const KNOWN_AFTER = 60;

/** The pace after one more answer. */
export function paceAfter(before: Pace | undefined, height: number, at: number): Pace {
  if (before === undefined || height < before.height) return { from: at, height, at, rate: 0 };
  const seconds = at - before.at;
  if (seconds <= 0) return before;
  const share = Math.min(1, seconds / Math.min(at - before.from, REMEMBERED));
  return {
    from: before.from,
    height,
    at,
    rate: before.rate + ((height - before.height) / seconds - before.rate) * share,
  };
}

/** Blocks that a node can be ahead of the others or of itself at any time while no pace is known: a burst, and the time between polls. */
const MARGIN = 100;
/** No chain in use makes more blocks a second for long; C makes less than one. */
const FASTEST = 10;
/** A chain's own pace allows as much for a time that is longer by the one between polls: a node that lies within it makes the others 90 s late. */
const BURST = { factor: 2, seconds: 30 };

type From = { readonly height: number; readonly at: number };

/** Whether a chain of this pace, blocks a second, can come from one height to another. */
function allows({ height, at }: From, from: From, rate: number | undefined): boolean {
  const seconds = Math.max(0, at - from.at);
  const most = rate === undefined ? MARGIN + FASTEST * seconds : 1 + BURST.factor * rate * (seconds + BURST.seconds);
  return height <= from.height + most;
}

/**
 * The node whose height is to be left out of comparisons, because one liar would make all honest nodes lag: it is above every other node by
 * more than the pace of the chain allows in the time since the next one last moved, and it jumped there, or two others move side by side,
 * or stand at one height while it stands too. Without any of these the others may just be stalled, as when the exporter starts. It is
 * doubted until another node confirms it. Beside one other node its pace is not asked: there is nobody who could confirm it.
 */
export function doubtedHeight(sightings: readonly Sighting[], was: string | undefined): Doubted | undefined {
  let top: Sighting | undefined;
  let next: Sighting | undefined;
  for (const each of sightings) {
    if (top === undefined || each.height > top.height) [top, next] = [each, top];
    else if (next === undefined || each.height > next.height) next = each;
  }
  if (top === undefined || next === undefined) return undefined;
  const { node, height, at, before, pace } = top;
  const { height: second, since } = next;
  const isKnown = sightings.length > 2 && pace !== undefined && at - pace.from >= KNOWN_AFTER;
  const rate = isKnown ? pace.rate : undefined;
  if (allows(top, { height: second, at: since }, rate)) return undefined;
  const jumped = before !== undefined && !allows(top, before, rate);
  const isAlone = () =>
    sightings.filter((sighting) =>
      sighting.moves ? Math.abs(sighting.height - second) <= MARGIN : rate === 0 && sighting.height === second,
    ).length >= 2;
  return was === node || jumped || isAlone() ? { node, blocks: height - second } : undefined;
}
