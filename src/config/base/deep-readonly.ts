/** A type whose properties and lists are readonly all the way down. Schemas of zod give types that may be changed. */
export type DeepReadonly<T> =
  T extends ReadonlyMap<unknown, unknown>
    ? T
    : T extends ReadonlyArray<infer Item>
      ? ReadonlyArray<DeepReadonly<Item>>
      : T extends object
        ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
        : T;
