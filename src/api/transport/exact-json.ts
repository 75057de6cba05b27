/**
 * Parses JSON for printing, so that every number keeps its digits: blocks contain 64-bit integers as JSON numbers, which a double
 * would round.
 */

/** A part of ECMAScript that the type library does not have yet. */
type SourceJson = {
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => unknown;
};

/** The value of a JSON text. A number that a double would change is an opaque value that `JSON.stringify` prints unchanged. */
export function parseExact(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as SourceJson;
  return parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}
