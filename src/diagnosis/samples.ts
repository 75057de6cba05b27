import { evaluate, type Source } from "./promql/evaluate.ts";
import { PromqlError, type Expression } from "./promql/expression.ts";
import { labelsOf, readSamples, type Sample } from "./promql/sample.ts";
import type { Recorded } from "./rules.ts";

/**
 * The samples of one instant. Each family is parsed on demand and cached; recorded series are evaluated on demand and cached.
 */
export type Samples = Source & {
  /** Samples of a metric about one node, or all without a node. */
  readonly about: (name: string, node: string | undefined) => readonly Sample[];
};

/** The texts of each family, one for each target. */
export type Texts = ReadonlyMap<string, readonly string[]>;

export function samplesOf(texts: Texts, now: number, recorded: Recorded = new Map()): Samples {
  const read = new Map<string, readonly Sample[]>();
  const byNode = new Map<string, ReadonlyMap<string, readonly Sample[]>>();

  function samples(name: string): readonly Sample[] {
    const known = read.get(name);
    if (known !== undefined) return known;
    const rule = recorded.get(name);
    const found = rule === undefined ? readAll(name) : computed(name, rule);
    read.set(name, found);
    return found;
  }

  function computed(name: string, rule: Expression): readonly Sample[] {
    const value = evaluate(rule, source);
    if (typeof value === "number") throw new PromqlError(`${name} is a number`);
    return value.map((sample) => ({ ...sample, name }));
  }

  function readAll(name: string): readonly Sample[] {
    const found: Sample[] = [];
    for (const text of texts.get(name) ?? [])
      for (const sample of readSamples(text)) if (sample.name === name) found.push(sample);
    return found;
  }

  const source: Source = { now, samples };
  return {
    ...source,
    about(name, node) {
      const all = samples(name);
      if (node === undefined) return all;
      const groups = byNode.get(name) ?? grouped(all);
      byNode.set(name, groups);
      // Samples without a node are facts of a network and concern all nodes.
      return [...(groups.get(node) ?? []), ...(groups.get("") ?? [])];
    },
  };
}

function grouped(samples: readonly Sample[]): ReadonlyMap<string, readonly Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const node = labelsOf(sample).get("node") ?? "";
    const group = groups.get(node);
    if (group === undefined) groups.set(node, [sample]);
    else group.push(sample);
  }
  return groups;
}
