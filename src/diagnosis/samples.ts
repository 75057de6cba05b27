import type { Reading } from "../exposition/sample.ts";

export type Labels = Reading["labels"];

/** The series of a family with their values. */
export type Readings = (family: string) => readonly Reading[];

/** The samples of one instant. Each family is read once. */
export type Samples = {
  /** Unix seconds. */
  readonly now: number;
  readonly samples: (name: string) => readonly Reading[];
  /** Samples of a metric about one node, or all without a node. */
  readonly about: (name: string, node: string | undefined) => readonly Reading[];
};

/** A label; `undefined` when it is missing or empty. */
export function labelOf(sample: Reading | undefined, name: string): string | undefined {
  return (sample !== undefined && Object.hasOwn(sample.labels, name) && sample.labels[name]) || undefined;
}

/** `chain="C",node="a"`, in the order of the names. */
export function formatLabels({ labels }: Reading): string {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",");
}

export function samplesOf(readings: Readings, now: number): Samples {
  const read = new Map<string, readonly Reading[]>();
  const byNode = new Map<string, ReadonlyMap<string, readonly Reading[]>>();

  function samples(name: string): readonly Reading[] {
    const found = read.get(name) ?? readings(name);
    read.set(name, found);
    return found;
  }

  return {
    now,
    samples,
    about(name, node) {
      const all = samples(name);
      if (node === undefined) return all;
      const groups = byNode.get(name) ?? Map.groupBy(all, (sample) => labelOf(sample, "node") ?? "");
      byNode.set(name, groups);
      // Samples without a node are facts of a network and concern all nodes.
      return [...(groups.get(node) ?? []), ...(groups.get("") ?? [])];
    },
  };
}
