import type { Answer, Source, TargetFacts } from "../../api/endpoint.ts";

/**
 * An optional need: its data is `undefined` while there is no fresh answer. In a comparison, where every need is optional, it is
 * one that only names what is compared.
 */
export type Optional<S> = { readonly optional: true; readonly source: S };

export function optional<S extends Source<unknown>>(source: S): Optional<S> {
  return { optional: true, source };
}

export type Need = Source<unknown> | Optional<Source<unknown>>;
export type Needs = Readonly<Record<string, Need>>;

type Given<S> = S extends Source<infer A, infer Keyed> ? (true extends Keyed ? ReadonlyMap<string, A> : A) : never;

/** Input of a topic's reads: the answer of each need; for a keyed endpoint a map by key. */
export type Data<N extends Needs> = {
  readonly [K in keyof N]: N[K] extends Optional<infer E> ? Given<E> | undefined : Given<N[K]>;
};

/** One node of a fleet with its data; a need without a fresh answer is `undefined`. */
export type Member<N extends Needs> = {
  readonly facts: TargetFacts;
  readonly answers: { readonly [K in keyof N]: ComparedAnswer<N[K]> | undefined };
};
type ComparedAnswer<E> =
  E extends Optional<infer S>
    ? ComparedAnswer<S>
    : E extends Source<infer A, infer Keyed>
      ? true extends Keyed
        ? ReadonlyMap<string, Answer<A>>
        : Answer<A>
      : never;

/** Input of the reads of a topic that compares nodes. */
export type ComparedData<N extends Needs> = { readonly members: ReadonlyArray<Member<N>> };
