/** Caches a pure reading of an answer, which several metrics use, for the lifetime of the answer. Answers are immutable. */
export function perAnswer<A extends object, R>(read: (answer: A) => R): (answer: A) => R {
  const cache = new WeakMap<A, { readonly result: R }>();
  return (answer) => {
    const found = cache.get(answer);
    if (found !== undefined) return found.result;
    const result = read(answer);
    cache.set(answer, { result });
    return result;
  };
}
