import { z } from "zod";

/** A value, how often it changed since the exporter started, and when it changed last, in Unix seconds. */
export type Changes = {
  readonly last: string | undefined;
  /** The value before the last change. */
  readonly previous?: string | undefined;
  readonly count: number;
  /** Absent after a change back to the previous value. */
  readonly changedAt?: number | undefined;
};

export const NO_CHANGES: Changes = { last: undefined, count: 0 };

/**
 * Adds a value. Neither the first value nor an unknown one (`undefined` or empty) is a change.
 * @param at Unix seconds
 */
export function countChange(state: Changes, value: string | undefined, at?: number): Changes {
  if (value === undefined || value === "" || value === state.last) return state;
  if (state.last === undefined) return { ...state, last: value };
  const changed = { last: value, previous: state.last, count: state.count + 1 };
  return at === undefined || value === state.previous ? changed : { ...changed, changedAt: at };
}

const SAVED = z.object({
  last: z.string().optional(),
  previous: z.string().optional(),
  count: z.number().int().nonnegative(),
  changedAt: z.number().optional(),
});

/** How a count and its last value are saved, so that a change during a restart counts. */
export const SAVED_CHANGES = {
  save: (state: Changes): Changes => state,
  restore: (saved: unknown): Changes => ({ last: undefined, ...SAVED.parse(saved) }),
};
