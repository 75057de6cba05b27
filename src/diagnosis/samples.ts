import type { Source } from "../promql/evaluate.ts";
import { labelsOf, readSamples, type Sample } from "../promql/sample.ts";
import { forEach, type Work } from "../promql/work.ts";

/** The samples of a moment. They are read from their text when they are asked for, each family once. */
export type Samples = Source & {
  /** Samples of a metric about one node, or all of them. */
  readonly about: (name: string, node: string | undefined) => Work<readonly Sample[]>;
};

/** Texts of a family, one for each target. */
export type Texts = ReadonlyMap<string, ReadonlyArray<() => string>>;

export function samplesOf(texts: Texts, now: number): Samples {
  const read = new Map<string, readonly Sample[]>();
  const byNode = new Map<string, ReadonlyMap<string, readonly Sample[]>>();

  function* samples(name: string): Work<readonly Sample[]> {
    const known = read.get(name);
    if (known !== undefined) return known;
    const found: Sample[] = [];
    // A text is one node's lines of one family: some tens of them, so several make a step.
    let since = 0;
    for (const text of texts.get(name) ?? []) {
      const before = found.length;
      for (const sample of readSamples(text())) if (sample.name === name) found.push(sample);
      since += found.length - before + 10;
      if (since < 500) continue;
      since = 0;
      yield;
    }
    read.set(name, found);
    return found;
  }

  return {
    now,
    samples,
    *about(name, node) {
      const all = yield* samples(name);
      if (node === undefined) return all;
      const groups = byNode.get(name) ?? (yield* grouped(all));
      byNode.set(name, groups);
      // Facts of a network have no node, and concern each of its nodes.
      return [...(groups.get(node) ?? []), ...(groups.get("") ?? [])];
    },
  };
}

function* grouped(samples: readonly Sample[]): Work<ReadonlyMap<string, readonly Sample[]>> {
  const groups = new Map<string, Sample[]>();
  yield* forEach(samples, (sample) => {
    const node = labelsOf(sample).get("node") ?? "";
    const group = groups.get(node);
    if (group === undefined) groups.set(node, [sample]);
    else group.push(sample);
  });
  return groups;
}
