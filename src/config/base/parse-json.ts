/** What replaces a value of an object, by its key. */
export type Reviver = (key: string, value: unknown) => unknown;

/** `undefined` for a text that is not JSON. */
export function parseJson(text: string, reviver?: Reviver): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text, reviver) };
  } catch {
    return undefined;
  }
}
