import type { Body } from "../../support/hosted.ts";

/** Answers to one path of the hosted services, and the expected series. */
export type Case = {
  /** Path by its name in the specification. */
  readonly method: string;
  /** The requested path. */
  readonly path: string;
  /** In the form of the specification, and in that of the real service. */
  readonly spec: Body;
  readonly real: Body;
  /** Series and their values in both, and in one alone. */
  readonly both: Readonly<Record<string, number>>;
  readonly specOnly?: Readonly<Record<string, number>>;
  readonly realOnly?: Readonly<Record<string, number>>;
  /** A later answer, for counters, which begin at the first answer. */
  readonly later?: { readonly spec: Body; readonly real: Body; readonly both: Readonly<Record<string, number>> };
};

/** Unix seconds at which the bench's clock stands at first, and 0:00 UTC of that day. */
export const TODAY = 1_799_971_200;
export const NOW = TODAY + 7 * 3600;
