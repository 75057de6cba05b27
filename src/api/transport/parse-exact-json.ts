/**
 * Parses JSON for printing, so that every number keeps its digits: blocks contain 64-bit integers as JSON numbers, which a double
 * would round.
 */

declare global {
  /** A part of ECMAScript that the type library does not have yet. */
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface adds to one
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
  }
}

/** The value of a JSON text. A number that a double would change is an opaque value that `JSON.stringify` prints unchanged. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}
