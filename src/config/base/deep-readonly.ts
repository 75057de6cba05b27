/** The type with all nested properties and lists readonly: zod infers mutable types. */
export type DeepReadonly<T> =
  T extends ReadonlyMap<unknown, unknown>
    ? T
    : T extends ReadonlyArray<infer Item>
      ? ReadonlyArray<DeepReadonly<Item>>
      : T extends object
        ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
        : T;
