import type { Answer, Polled, Source } from "../../api/endpoint.ts";

/**
 * The last answer to each question. An owner is a target or a network; a question is a source and a key. An answer is replaced,
 * never changed, and counts until its time is over: that is all there is about staleness.
 */
export type Store = {
  /** @param until Unix seconds from which the answer is too old to be exported */
  readonly put: <A>(owner: string, source: Source<A>, key: string, answer: Answer<A>, until: number) => void;
  /** One answer; `undefined` without one that counts at `now`. The key of a source with one question is empty. */
  readonly get: <A>(owner: string, source: Source<A>, now: number, key?: string) => Answer<A> | undefined;
  /** Answers of one source by key; `undefined` without any. The same map until one of them is replaced or its time is over. */
  readonly all: <A>(owner: string, source: Source<A>, now: number) => ReadonlyMap<string, Held<A>> | undefined;
  /** The last answer of an endpoint that `follows`, however old it is. */
  readonly last: <A>(owner: string, source: Source<A>, key: string) => A | undefined;
  readonly delete: (owner: string, source: Source<unknown>, key: string) => void;
  readonly deleteOwner: (owner: string) => void;
};

type Held<A = unknown> = Answer<A> & { readonly until: number };
type Question = {
  readonly held: Map<string, Held>;
  /** The answers that count, until the first of them no longer does; made anew when `undefined`. */
  counting: ReadonlyMap<string, Held> | undefined;
  until: number;
};

export function createStore(): Store {
  const owners = new Map<string, Map<string, Question>>();

  function questionOf(owner: string, { id }: Source<unknown>): Question {
    const sources = owners.get(owner) ?? new Map<string, Question>();
    owners.set(owner, sources);
    const question = sources.get(id) ?? { held: new Map<string, Held>(), counting: undefined, until: 0 };
    sources.set(id, question);
    return question;
  }

  // `put` accepts no other type of answer for this source.
  function all<A>(owner: string, source: Source<A>, now: number): ReadonlyMap<string, Held<A>> | undefined {
    const question = owners.get(owner)?.get(source.id);
    if (question === undefined) return undefined;
    if (question.counting === undefined || now >= question.until) count(question, source, now);
    const { counting } = question;
    return counting === undefined || counting.size === 0 ? undefined : (counting as ReadonlyMap<string, Held<A>>);
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
    get: (owner, source, now, key = "") => all(owner, source, now)?.get(key),
    last: <A>(owner: string, source: Source<A>, key: string) =>
      owners.get(owner)?.get(source.id)?.held.get(key)?.value as A | undefined,
    put(owner, source, key, answer, until) {
      const question = questionOf(owner, source);
      question.held.set(key, { ...answer, until });
      question.counting = undefined;
    },
    delete(owner, { id }, key) {
      const question = owners.get(owner)?.get(id);
      if (question?.held.delete(key) === true) question.counting = undefined;
    },
    deleteOwner: (owner) => void owners.delete(owner),
  };
}

const follows = (source: Source<unknown> & Pick<Partial<Polled<unknown>>, "follows">): boolean =>
  source.follows === true;
