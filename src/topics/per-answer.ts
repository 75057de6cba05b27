/**
 * Caches a pure reading of an answer, which several metrics use, for the lifetime of the answer. Answers are immutable, and what
 * else is read, such as their time, belongs to the answer.
 */
export function perAnswer<A extends object, R, M extends readonly unknown[] = []>(
  read: (answer: A, ...more: M) => R,
): (answer: A, ...more: M) => R {
  const cache = new WeakMap<A, { readonly result: R }>();
  return (answer, ...more) => {
    const found = cache.get(answer);
    if (found !== undefined) return found.result;
    const result = read(answer, ...more);
    cache.set(answer, { result });
    return result;
  };
}
