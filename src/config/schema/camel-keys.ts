type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** The mapping with its keys in camel case: `max_pages` becomes `maxPages`. */
type CamelKeys<T> = { [Key in keyof T as Camel<Key>]: T[Key] };

/** Renames the keys of a mapping; nested mappings keep theirs. */
export function camelKeys<T extends object>(mapping: T): CamelKeys<T> {
  const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(mapping).map(([key, value]) => [camel(key), value as unknown]),
  ) as CamelKeys<T>;
}
