import { evaluate, type Source } from "./promql/evaluate.ts";
import { PromqlError, type Expression } from "./promql/expression.ts";
import type { Reading } from "../exposition/sample.ts";
import { labelOf, seriesOf, type Sample } from "./promql/sample.ts";

/**
 * The samples of one instant. Each family is read on demand and cached; recorded series are evaluated on demand and cached.
 */
export type Samples = Source & {
  /** Samples of a metric about one node, or all without a node. */
  readonly about: (name: string, node: string | undefined) => readonly Sample[];
};

/** The expressions of recorded series, by name. */
export type Recorded = ReadonlyMap<string, Expression>;

/** The series of a family with their values. */
export type Readings = (family: string) => readonly Reading[];

export function samplesOf(readings: Readings, now: number, recorded: Recorded = new Map()): Samples {
  const read = new Map<string, readonly Sample[]>();
  const byNode = new Map<string, ReadonlyMap<string, readonly Sample[]>>();

  function samples(name: string): readonly Sample[] {
    const rule = recorded.get(name);
    const found = read.get(name) ?? (rule === undefined ? given(name) : computed(name, rule));
    read.set(name, found);
    return found;
  }

  function computed(name: string, rule: Expression): readonly Sample[] {
    const value = evaluate(rule, source);
    if (typeof value === "number") throw new PromqlError(`${name} is a number`);
    return value.map((sample) => ({ ...sample, name }));
  }

  function given(name: string): readonly Sample[] {
    return readings(name).map(({ labels, value }) => ({
      name,
      series: seriesOf(new Map(Object.entries(labels))),
      value,
    }));
  }

  const source: Source = { now, samples };
  return {
    ...source,
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
