import { z } from "zod";

/** A value and how often it changed since the exporter started. */
export type Changes = { readonly last: string | undefined; readonly count: number };

export const NO_CHANGES: Changes = { last: undefined, count: 0 };

/** Adds a value. Neither the first value nor an unknown one (`undefined` or empty) is a change. */
export function countChange(state: Changes, value: string | undefined): Changes {
  if (value === undefined || value === "" || value === state.last) return state;
  return { last: value, count: state.count + (state.last === undefined ? 0 : 1) };
}

const SAVED = z.object({ last: z.string().optional(), count: z.number().int().nonnegative() });

/** How a count and its last value are saved, so that a change during a restart counts. */
export const SAVED_CHANGES = {
  save: (state: Changes): Changes => state,
  restore: (saved: unknown): Changes => ({ last: undefined, ...SAVED.parse(saved) }),
};
