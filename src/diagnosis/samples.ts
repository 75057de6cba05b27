import { evaluate, type Source } from "./promql/evaluate.ts";
import { PromqlError, type Expression } from "./promql/expression.ts";
import { labelsOf, readSamples, type Sample } from "./promql/sample.ts";
import { inSteps, type Work } from "../runtime/work.ts";
import type { Recorded } from "./rules.ts";

/**
 * The samples of one instant. Each family is parsed on demand and cached; recorded series are evaluated on demand and cached.
 */
export type Samples = Source & {
  /** Samples of a metric about one node, or all without a node. */
  readonly about: (name: string, node: string | undefined) => Work<readonly Sample[]>;
};

/** The texts of each family, one for each target. */
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
    // A text has only some tens of lines, so a step parses several texts.
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
      // Samples without a node are facts of a network and concern all nodes.
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
