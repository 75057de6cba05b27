/** Values of one chain, by node. */
export type ByNode<A> = ReadonlyMap<string, A>;

/**
 * A height in an answer. A chain that is polled directly (`asked`) is read for the answer. A health check (`checked`) was run
 * before it, and repeats its result until its next run. Times are Unix seconds of the local clock, except the `mark` of a
 * check: it is the node's time of the run, and only identifies the run.
 */
export type Reading = {
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
export type Observation = { readonly height: number; readonly from: number | undefined; readonly to: number };
/** The last observation of a node and earlier ones, which are needed when the last is too recent for a comparison. */
export type History = Observation & { readonly reading: Reading; readonly before: readonly Observation[] };
/** Number of earlier observations that are kept. */
const KEPT = 3;

/** Adds the present readings to the histories of the nodes. */
export function addReadings(histories: ByNode<History>, now: ByNode<Reading>): ByNode<History> {
  return mapNodes(now, (node, reading) => {
    const last = histories.get(node);
    const { height, kind, mark, answeredAt } = reading;
    if (last?.reading.kind === kind && last.reading.mark === mark)
      return last.reading.askedAt === reading.askedAt ? last : { ...last, reading };
    const before = last === undefined ? [] : [last, ...last.before].slice(0, KEPT).map(observationOf);
    return { height, from: begunAt(reading, last?.reading), to: answeredAt, reading, before };
  });
}

/**
 * The earliest time of the reading: for a chain the time of the request; for a health check the time of the last request whose
 * answer still had the previous run. It is unknown for a node's first check.
 */
function begunAt({ kind, nodeId, askedAt, took }: Reading, last: Reading | undefined): number | undefined {
  if (kind === "asked") return askedAt;
  return last?.kind === kind && last.nodeId === nodeId ? last.askedAt - took : undefined;
}

const observationOf = ({ height, from, to }: Observation): Observation => ({ height, from, to });

/** A value for each node, where `read` returns one. */
export function mapNodes<A, V>(nodes: ByNode<A>, read: (node: string, own: A) => V | undefined): ByNode<V> {
  const values = new Map<string, V>();
  for (const [node, own] of nodes) {
    const value = read(node, own);
    if (value !== undefined) values.set(node, value);
  }
  return values;
}
