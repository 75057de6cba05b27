import type { Answer, Source } from "../../api/endpoint.ts";

type Held<A = unknown> = Answer<A> & { readonly until: number };
type Answers = ReadonlyMap<string, Held>;
type Question = {
  /** Replaced, never changed. */
  held: Answers;
  /** The answers that count, until the first of them no longer does; counted again when `undefined`. */
  counting: Answers | undefined;
  until: number;
};

/**
 * The last answer to each question. An owner is a target or a network; a question is a source and a key. An answer is replaced,
 * never changed, and counts until its time is over: that is all there is about staleness.
 */
export class Store {
  /** By owner, then by source. */
  readonly #owners = new Map<string, Map<string, Question>>();

  /** Answers of one source by key; `undefined` without any. The same map until one of them is replaced or its time is over. */
  all<A>(owner: string, source: Source<A>, now: number): ReadonlyMap<string, Held<A>> | undefined {
    const question = this.#owners.get(owner)?.get(source.id);
    if (question === undefined) return undefined;
    if (question.counting === undefined || now >= question.until) count(question, source, now);
    // `put` accepts no other type of answer for this source.
    const counting = question.counting as ReadonlyMap<string, Held<A>> | undefined;
    return counting?.size === 0 ? undefined : counting;
  }

  /** One answer; `undefined` without one that counts at `now`. The key of a source with one question is empty. */
  get<A>(owner: string, source: Source<A>, now: number, key = ""): Held<A> | undefined {
    const held = this.#heldOf(owner, source, key);
    return held !== undefined && now < held.until ? held : undefined;
  }

  /** The last answer of an endpoint that `follows`, however old it is; `undefined` of any other. */
  last<A>(owner: string, source: Source<A>, key: string): A | undefined {
    return follows(source) ? this.#heldOf(owner, source, key)?.value : undefined;
  }

  /** Replaces the answer to a question. @param until Unix seconds from which the answer is too old to be exported */
  put<A>(owner: string, { id }: Source<A>, key: string, answer: Answer<A>, until: number): void {
    const sources = this.#owners.get(owner) ?? new Map<string, Question>();
    this.#owners.set(owner, sources);
    // Written out: made with a spread each would be two objects.
    const { value, askedAt, answeredAt, by } = answer;
    const held = new Map(sources.get(id)?.held).set(key, { value, askedAt, answeredAt, by, until });
    sources.set(id, { held, counting: undefined, until: 0 });
  }

  /** Replaces the value of the last answer, which counts as long as before. */
  revise<A>(owner: string, source: Source<A>, key: string, change: (value: A) => A): void {
    const held = this.#heldOf(owner, source, key);
    if (held !== undefined) this.put(owner, source, key, { ...held, value: change(held.value) }, held.until);
  }

  /** Deletes one answer. */
  delete(owner: string, { id }: Source<unknown>, key: string): void {
    const question = this.#owners.get(owner)?.get(id);
    if (question === undefined) return;
    question.held = new Map([...question.held].filter(([each]) => each !== key));
    question.counting = undefined;
  }

  /** Deletes every answer of an owner. */
  deleteOwner(owner: string): void {
    this.#owners.delete(owner);
  }

  #heldOf<A>(owner: string, { id }: Source<A>, key: string): Held<A> | undefined {
    return this.#owners.get(owner)?.get(id)?.held.get(key) as Held<A> | undefined;
  }
}

function count(question: Question, source: Source<unknown>, now: number): void {
  const isCounting = ([, { until }]: readonly [string, Held]): boolean => now < until;
  const { held } = question;
  // Most often all count: one map for both.
  question.counting = [...held].every(isCounting) ? held : new Map([...held].filter(isCounting));
  question.until = Math.min(Infinity, ...question.counting.values().map(({ until }) => until));
  if (!follows(source)) question.held = question.counting;
}

const follows = (source: Source<unknown>): boolean => "follows" in source && source.follows === true;
