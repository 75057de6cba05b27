import type { Answer, TargetFacts } from "../../api/endpoint.ts";
import { isOptional, sourceOf } from "../../topics/define/catalogue.ts";
import type { Moment } from "../../topics/define/metric.ts";
import type { Topic } from "../../topics/define/topic.ts";
import { perAnswer, valuesOf } from "../../topics/per-answer.ts";
import type { Answers } from "./inputs.ts";

/** Puts answers into the form in which the functions of a topic take them. */

/** Facts of a node or network; of a hosted service only its network. */
export type Facts = TargetFacts | { readonly network: string };

/** A node with its answers, by the name of the need. */
export type Member = { readonly facts: Facts; readonly answers: Readonly<Record<string, unknown>> };

/** The sources of a topic. */
export const needsOf = perAnswer(({ needs }: Topic) =>
  Object.entries(needs).map(([name, need]) => ({ name, source: sourceOf(need), mayLack: isOptional(need) })),
);

type Gathered = Pick<Moment, "times" | "timesByKey" | "asked"> & { readonly data: Readonly<Record<string, unknown>> };

/** The context of the reads of a topic. */
export function contextOf(facts: Facts, { times, timesByKey, asked }: Omit<Gathered, "data">): Moment {
  const time = Math.min(...Object.values(times));
  return { ...facts, networkLabel: facts.network ?? "", times, timesByKey, asked, time };
}

const timesOf = perAnswer(
  (answers: NonNullable<Answers>): ReadonlyMap<string, number> =>
    new Map([...answers].map(([key, { answeredAt }]) => [key, answeredAt])),
);

/** The answers to a topic's needs as its reads take them; `undefined` when a required one is missing. */
export function gather(topic: Topic, given: readonly Answers[]): Gathered | undefined {
  const data: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  const timesByKey: Record<string, ReadonlyMap<string, number>> = {};
  const asked: Record<string, number> = {};
  let index = 0;
  for (const { name, source, mayLack } of needsOf(topic)) {
    const answers = given[index++];
    // The store has no empty lists of answers.
    const oldest = answers && oldestOf(answers);
    if (answers === undefined || oldest === undefined) {
      if (!mayLack) return undefined;
      data[name] = undefined;
      continue;
    }
    if (source.keyed) {
      data[name] = valuesOf(answers);
      timesByKey[name] = timesOf(answers);
    } else data[name] = oldest.value;
    times[name] = oldest.answeredAt;
    asked[name] = oldest.askedAt;
  }
  return { data, times, timesByKey, asked };
}

/** The answer of a source with one question. */
function onlyOf(answers: NonNullable<Answers>): Answer | undefined {
  for (const each of answers.values()) return each;
  return undefined;
}

function oldestOf(answers: NonNullable<Answers>): Answer | undefined {
  let oldest: Answer | undefined;
  for (const each of answers.values()) if (oldest === undefined || each.answeredAt < oldest.answeredAt) oldest = each;
  return oldest;
}

/** Nodes with their answers and the times of these, for a comparison. @param given for each need, the answers of each node */
export function membersOf(
  topic: Topic,
  nodes: ReadonlyArray<{ readonly facts: Facts }>,
  given: ReadonlyArray<readonly Answers[]>,
): readonly Member[] {
  const needs = needsOf(topic);
  return nodes.map(({ facts }, index) => {
    const answers: Record<string, unknown> = {};
    let need = 0;
    for (const { name, source } of needs) {
      const found = given[need++]?.[index];
      answers[name] = source.keyed ? found : found && onlyOf(found);
    }
    return { facts, answers };
  });
}
