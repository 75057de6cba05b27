/** A value and how often it changed since the exporter started. */
export type Changes = { readonly last: string | undefined; readonly count: number };

export const NO_CHANGES: Changes = { last: undefined, count: 0 };

/** Adds a value. Neither the first value nor an unknown one (`undefined` or empty) is a change. */
export function countChange(state: Changes, value: string | undefined): Changes {
  if (value === undefined || value === "" || value === state.last) return state;
  return { last: value, count: state.count + (state.last === undefined ? 0 : 1) };
}
