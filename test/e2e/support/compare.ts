import { seriesKey, type Series } from "./exposition.ts";

/** Two doubles that differ in the last digit are the same figure; a ratio is exported with twelve digits, a difference of times to the microsecond. */
function isSame(name: string, actual: number, expected: number): boolean {
  const digit = Math.abs(expected) * 2 ** -51;
  return Math.abs(actual - expected) <= Math.max(digit, name.endsWith("_ratio") ? 1e-12 : 0, isAge(name) ? 1.2e-6 : 0);
}

const isAge = (name: string): boolean => name.startsWith("avax_node_last_message_");

export function differences(expected: readonly Series[], actual: ReadonlyMap<string, Series>): readonly string[] {
  return expected.flatMap(({ name, labels, value }) => {
    const key = seriesKey(name, labels);
    const found = actual.get(key)?.value;
    if (found === undefined) return [`missing: ${key} ${value}`];
    return isSame(name, found, value) ? [] : [`${key} is ${found}, the recording says ${value}`];
  });
}
