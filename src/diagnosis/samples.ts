import { evaluate, type Source } from "../promql/evaluate.ts";
import { PromqlError, type Expression } from "../promql/expression.ts";
import { labelsOf, readSamples, type Sample } from "../promql/sample.ts";
import { inSteps, type Work } from "../runtime/work.ts";
import type { Recorded } from "./rules.ts";

/**
 * The samples of a moment. They are read from their text when they are asked for, each family once; recorded series are
 * computed from the others in the same way.
 */
export type Samples = Source & {
  /** Samples of a metric about one node, or all of them. */
  readonly about: (name: string, node: string | undefined) => Work<readonly Sample[]>;
};

/** Texts of a family, one for each target. */
export type Texts = ReadonlyMap<string, ReadonlyArray<() => string>>;

export function samplesOf(texts: Texts, now: number, recorded: Recorded = new Map()): Samples {
  const read = new Map<string, readonly Sample[]>();
  const byNode = new Map<string, ReadonlyMap<string, readonly Sample[]>>();

  function* samples(name: string): Work<readonly Sample[]> {
    const known = read.get(name);
    if (known !== undefined) return known;
    const rule = recorded.get(name);
    const found = rule === undefined ? yield* readAll(name) : yield* computed(name, rule);
    read.set(name, found);
    return found;
  }

  function* computed(name: string, rule: Expression): Work<readonly Sample[]> {
    const value = yield* evaluate(rule, source);
    if (typeof value === "number") throw new PromqlError(`${name} is a number`);
    return value.map((sample) => ({ ...sample, name }));
  }

  function* readAll(name: string): Work<readonly Sample[]> {
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
    return found;
  }

  const source: Source = { now, samples };
  return {
    ...source,
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
  yield* inSteps(samples, (sample) => {
    const node = labelsOf(sample).get("node") ?? "";
    const group = groups.get(node);
    if (group === undefined) groups.set(node, [sample]);
    else group.push(sample);
  });
  return groups;
}
