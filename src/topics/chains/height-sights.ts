/** Of one chain, by node. */
export type ByNode<A> = ReadonlyMap<string, A>;

/**
 * A height as an answer shows it. A chain that is asked is read for the answer; a health check was read before it, and the same
 * reading (`mark`) is shown until the check runs again. Unix seconds of this machine's clock, but for the mark of a check, which
 * is the node's own time and tells readings apart and nothing else: clocks of nodes are not compared.
 */
export type Reading = {
  readonly height: number;
  readonly nodeId: string | undefined;
  readonly kind: "asked" | "checked";
  readonly mark: number;
  /** Seconds that the reading took. */
  readonly took: number;
  readonly askedAt: number;
  readonly answeredAt: number;
};
/** A height of a node: it was read no earlier than `from`, where that is known, and had been by `to`. */
export type Sight = { readonly height: number; readonly from: number | undefined; readonly to: number };
/** The last height of a node, and those before it: the last may be younger than the one that it is compared with. */
export type Seen = Sight & { readonly reading: Reading; readonly before: readonly Sight[] };
/** So many answers of a node before its last are kept to compare others with. */
const KEPT = 3;

/** Keeps the last answers of each node, however often the others have answered since. */
export function remember(known: ByNode<Seen>, now: ByNode<Reading>): ByNode<Seen> {
  return mapNodes(now, (node, reading) => {
    const last = known.get(node);
    const { height, kind, mark, answeredAt } = reading;
    if (last?.reading.kind === kind && last.reading.mark === mark) return { ...last, reading };
    const before = last === undefined ? [] : [last, ...last.before].slice(0, KEPT).map(sightOf);
    return { height, from: begunAt(reading, last?.reading), to: answeredAt, reading, before };
  });
}

/**
 * No earlier than this was it read: a chain that is asked, when it was asked; a health check, when the last answer was asked for
 * that still showed the run before it. Nothing is known of a node's first check.
 */
function begunAt({ kind, nodeId, askedAt, took }: Reading, last: Reading | undefined): number | undefined {
  if (kind === "asked") return askedAt;
  return last?.kind === kind && last.nodeId === nodeId ? last.askedAt - took : undefined;
}

const sightOf = ({ height, from, to }: Sight): Sight => ({ height, from, to });

/** A value for each node, where `read` gives one. */
export function mapNodes<A, V>(nodes: ByNode<A>, read: (node: string, own: A) => V | undefined): ByNode<V> {
  const values = new Map<string, V>();
  for (const [node, own] of nodes) {
    const value = read(node, own);
    if (value !== undefined) values.set(node, value);
  }
  return values;
}
