type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** A mapping of the file as the code names its keys: `max_pages` is `maxPages`. */
export type CamelKeys<T> = { [Key in keyof T as Camel<Key>]: T[Key] };

/** Renames the keys of one mapping, and not of those inside it. */
export function camelKeys<T extends object>(mapping: T): CamelKeys<T> {
  const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(mapping).map(([key, value]) => [camel(key), value as unknown]),
  ) as CamelKeys<T>;
}
