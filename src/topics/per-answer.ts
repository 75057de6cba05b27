/**
 * The same pure reading of an answer, done once however many metrics use it. An answer is never changed, so its reading
 * may be kept as long as the answer itself.
 */
export function perAnswer<A extends object, R>(read: (answer: A) => R): (answer: A) => R {
  const known = new WeakMap<A, { readonly result: R }>();
  return (answer) => {
    const found = known.get(answer);
    if (found !== undefined) return found.result;
    const result = read(answer);
    known.set(answer, { result });
    return result;
  };
}
