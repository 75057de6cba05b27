import { describe, expect, it } from "vitest";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import type { Topic } from "../../../src/topics/define/topic.ts";
import { EXAMPLES, type Example } from "./formula-examples.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const FORMULAS = TOPICS.flatMap((topic) => (topic.formulas ?? []).map((formula) => ({ ...formula, topic })));

/** The figure that the metric reads from the answers of an example. */
function readExample(topic: Topic, metric: string, { data, before = [], context, labels = {} }: Example) {
  const known = { ...contextOf(), ...context };
  const state = before.reduce<unknown>((last, each) => nextState(topic, completed(each), known, last), undefined);
  const shown = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return readTopic(topic, completed(data), known, state).get(
    shown.length === 0 ? metric : `${metric}{${shown.join(",")}}`,
  );
}

/** Completes the nodes of a comparison's example: the missing fields are those of a node with P, X and C. */
function completed(data: object): object {
  if (!("members" in data)) return data;
  const members = (data.members as ReadonlyArray<{ readonly facts: object }>).map((member) => ({
    ...member,
    facts: { ...contextOf(), ...member.facts },
  }));
  return { members };
}

describe.each(FORMULAS)("$metric", ({ metric, topic, result, example, formula }) => {
  it("has the result of its example", () => {
    const given = EXAMPLES[metric];
    if (given === undefined) throw new Error(`no example of ${metric}`);
    expect(Number(readExample(topic, metric, given)?.toFixed(12))).toBe(result);
  });

  it("belongs to its topic, and has a text", () => {
    expect(metricsOf(topic).map(({ name }) => name)).toContain(metric);
    expect(example).toMatch(/^[A-Z0-9].*\.$/);
    expect(formula).toMatch(/[^.]$/);
  });
});
