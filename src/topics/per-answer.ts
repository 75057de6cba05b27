import type { Answer } from "../api/endpoint.ts";

/**
 * Caches a pure reading of an answer, which several metrics use, until it is made with other arguments. Answers are immutable, and what
 * else is read, such as their time, belongs to the answer. So are facts, lists of views and topics.
 */
export function perAnswer<A extends object, R, M extends readonly unknown[] = []>(
  read: (answer: A, ...more: M) => R,
): (answer: A, ...more: M) => R {
  const cache = new WeakMap<A, { readonly result: R; readonly more: M }>();
  return (answer, ...more) => {
    const found = cache.get(answer);
    if (found !== undefined && isSameList(found.more, more)) return found.result;
    const result = read(answer, ...more);
    cache.set(answer, { result, more });
    return result;
  };
}

/** Whether two lists have the same elements. */
export function isSameList(before: readonly unknown[], now: readonly unknown[]): boolean {
  if (before.length !== now.length) return false;
  for (let index = 0; index < now.length; index++) if (before[index] !== now[index]) return false;
  return true;
}

const valuesByKey = perAnswer(
  (answers: ReadonlyMap<string, Answer>): ReadonlyMap<string, unknown> =>
    new Map([...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value])),
);

/** The values of the answers to one question for several keys, in the order of the keys. */
export function valuesOf<A>(answers: ReadonlyMap<string, Answer<A>>): ReadonlyMap<string, A> {
  // The cache cannot know the type of each map that it holds.
  return valuesByKey(answers) as ReadonlyMap<string, A>;
}
