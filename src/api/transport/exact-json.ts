/**
 * Reads JSON that will be printed again, so that every number keeps its digits: 64-bit integers inside blocks are bare numbers,
 * which a double would round.
 */

/** What ECMAScript has and the type library does not describe yet. */
type SourceJson = {
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => unknown;
};

/** The value of a JSON text. A number that a double would print differently is an opaque value that `JSON.stringify` prints as received. */
export function parseExact(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as SourceJson;
  return parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}
