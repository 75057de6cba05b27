import type { Answer, Source } from "../../api/endpoint.ts";

export type Store = ReturnType<typeof createStore>;

type Held<A = unknown> = Answer<A> & { readonly until: number };
type Question = {
  readonly held: Map<string, Held>;
  /** The answers that count, until the first of them no longer does; counted again when `undefined`. */
  counting: ReadonlyMap<string, Held> | undefined;
  until: number;
};

/**
 * The last answer to each question. An owner is a target or a network; a question is a source and a key. An answer is replaced,
 * never changed, and counts until its time is over: that is all there is about staleness.
 */
export function createStore() {
  const owners = new Map<string, Map<string, Question>>();

  function questionOf(owner: string, { id }: Source<unknown>): Question {
    const sources = owners.get(owner) ?? new Map<string, Question>();
    owners.set(owner, sources);
    const question = sources.get(id) ?? { held: new Map<string, Held>(), counting: undefined, until: 0 };
    sources.set(id, question);
    return question;
  }

  /** Answers of one source by key; `undefined` without any. The same map until one of them is replaced or its time is over. */
  function all<A>(owner: string, source: Source<A>, now: number): ReadonlyMap<string, Held<A>> | undefined {
    const question = owners.get(owner)?.get(source.id);
    if (question === undefined) return undefined;
    if (question.counting === undefined || now >= question.until) count(question, source, now);
    // `put` accepts no other type of answer for this source.
    const counting = question.counting as ReadonlyMap<string, Held<A>> | undefined;
    return counting?.size === 0 ? undefined : counting;
  }

  function count(question: Question, source: Source<unknown>, now: number): void {
    const counting = new Map<string, Held>();
    question.until = Infinity;
    for (const [key, answer] of question.held) {
      if (now >= answer.until) {
        if (!follows(source)) question.held.delete(key);
        continue;
      }
      counting.set(key, answer);
      question.until = Math.min(question.until, answer.until);
    }
    question.counting = counting;
  }

  return {
    all,
    /** One answer; `undefined` without one that counts at `now`. The key of a source with one question is empty. */
    get<A>(owner: string, source: Source<A>, now: number, key = ""): Held<A> | undefined {
      const held = owners.get(owner)?.get(source.id)?.held.get(key) as Held<A> | undefined;
      return held !== undefined && now < held.until ? held : undefined;
    },
    /** The last answer of an endpoint that `follows`, however old it is; `undefined` of any other. */
    last: <A>(owner: string, source: Source<A>, key: string) =>
      follows(source) ? (owners.get(owner)?.get(source.id)?.held.get(key)?.value as A | undefined) : undefined,
    /** @param until Unix seconds from which the answer is too old to be exported */
    put<A>(owner: string, source: Source<A>, key: string, answer: Answer<A>, until: number): void {
      const question = questionOf(owner, source);
      question.held.set(key, { ...answer, until });
      question.counting = undefined;
    },
    /** Replaces the value of the last answer, which counts as long as before. */
    revise<A>(owner: string, source: Source<A>, key: string, change: (value: A) => A): void {
      const question = owners.get(owner)?.get(source.id);
      const held = question?.held.get(key) as Held<A> | undefined;
      if (question === undefined || held === undefined) return;
      question.held.set(key, { ...held, value: change(held.value) });
      question.counting = undefined;
    },
    delete(owner: string, { id }: Source<unknown>, key: string): void {
      const question = owners.get(owner)?.get(id);
      if (question?.held.delete(key) === true) question.counting = undefined;
    },
    deleteOwner: (owner: string) => void owners.delete(owner),
  };
}

const follows = (source: Source<unknown>): boolean => "follows" in source && source.follows === true;
