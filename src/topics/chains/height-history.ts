import { paceAfter, type Pace } from "./doubted-height.ts";

/** Values of one chain, by node. */
export type ByNode<A> = ReadonlyMap<string, A>;

/**
 * A height in an answer. A chain that is polled directly (`asked`) is read for the answer. A health check (`checked`) was run
 * before it, and repeats its result until its next run. Times are Unix seconds of the local clock, except the `mark` of a
 * check: it is the node's time of the run, and only identifies the run.
 */
export type HeightReading = {
  readonly height: number;
  readonly nodeId: string | undefined;
  readonly kind: "asked" | "checked";
  readonly mark: number;
  /** Duration of the check, in seconds. */
  readonly took: number;
  readonly askedAt: number;
  readonly answeredAt: number;
};
/** A height of a node that was read between `from`, where known, and `to`. */
type Observation = { readonly height: number; readonly from: number | undefined; readonly to: number };
/** The last observation of a node, and what is known since. */
export type HeightHistory = Observation & {
  readonly reading: HeightReading;
  /** Time of the first answer with this height. */
  readonly changedAt: number;
  readonly pace: Pace;
  /** Blocks behind, computed once for each new answer. */
  readonly lag?: number | undefined;
  /** This observation and earlier ones, the newest first: they are needed when the last is too recent for a comparison. */
  readonly observations: readonly Observation[];
};
/** Number of observations that are kept. */
const KEPT = 4;

/** The history of a node after its present reading. */
export function afterReading(last: HeightHistory | undefined, reading: HeightReading): HeightHistory {
  const { height, kind, mark, answeredAt: to } = reading;
  if (last?.reading.kind === kind && last.reading.mark === mark) return { ...last, reading };
  const isSame = last?.reading.nodeId === reading.nodeId;
  const now = { height, from: begunAt(reading, last?.reading), to };
  return {
    ...now,
    reading,
    pace: paceAfter(isSame ? last?.pace : undefined, height, to),
    changedAt: last?.height === height ? last.changedAt : to,
    observations: [now, ...(last?.observations ?? [])].slice(0, KEPT),
  };
}

/**
 * The earliest time of the reading: for a chain the time of the request; for a health check the time of the last request whose
 * answer still had the previous run. It is unknown for a node's first check.
 */
function begunAt({ kind, nodeId, askedAt, took }: HeightReading, last: HeightReading | undefined): number | undefined {
  if (kind === "asked") return askedAt;
  return last?.kind === kind && last.nodeId === nodeId ? last.askedAt - took : undefined;
}

/**
 * Adds the blocks behind of each node: the highest height that another node had answered before this node was read, less its own
 * height. Polls are not simultaneous, so a later answer proves nothing. The result stays until the node answers again.
 */
export function withLags(before: ByNode<HeightHistory>, now: ByNode<HeightHistory>): ByNode<HeightHistory> {
  const highestFirst = [...now]
    .flatMap(([node, { observations }]) => observations.map(({ height, to }) => ({ node, height, to })))
    .sort((a, b) => b.height - a.height);
  const lagOf = (node: string, { height, from = -Infinity, lag }: HeightHistory): number | undefined => {
    if (lag !== undefined || now.size < 2) return lag;
    const other = highestFirst.find((each) => each.node !== node && each.to <= from);
    return other === undefined ? before.get(node)?.lag : Math.max(0, other.height - height);
  };
  return mapNodes(now, (node, history) => {
    const lag = lagOf(node, history);
    return lag === history.lag ? history : { ...history, lag };
  });
}

/** A value for each node, where `read` returns one. */
export function mapNodes<A, V>(nodes: ByNode<A>, read: (node: string, own: A) => V | undefined): ByNode<V> {
  const values = new Map<string, V>();
  for (const [node, own] of nodes) {
    const value = read(node, own);
    if (value !== undefined) values.set(node, value);
  }
  return values;
}
