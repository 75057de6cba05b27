import { parseDuration } from "./units.ts";
import { didYouMean, quoted } from "./error-texts.ts";

/** A share of 1, whole seconds, or a whole number. */
export type LimitUnit = "share" | "seconds" | "number";

/** A value of the alerts that the configuration and `--set` can change: a threshold, or the `for` of an alert. */
export type AlertLimit = {
  readonly name: string;
  readonly unit: LimitUnit;
  /** The default, in the unit: a share of 1, seconds, or a number. */
  readonly standard: number;
  readonly least: number;
  readonly most: number;
  /** Another limit that must be larger: with a smaller one an alert could not fire. */
  readonly below?: string;
};

/** A value of a name, as it is written, and as messages show it. */
export type Assignment = { readonly name: string; readonly text: string; readonly shown?: string };

/** Why an assignment cannot be used, in a sentence about its name or its value. */
type LimitProblem = { readonly name: string; readonly at: "key" | "value"; readonly message: string };

/** The values of the assignments that can be used, in the units of their limits, and the problems of the others. */
export function limitValues(
  assignments: readonly Assignment[],
  limits: readonly AlertLimit[],
): { readonly values: ReadonlyMap<string, number>; readonly problems: readonly LimitProblem[] } {
  const values = new Map<string, number>();
  const problems: LimitProblem[] = [];
  const byName = new Map(limits.map((limit) => [limit.name, limit]));
  const currentOf = ({ name, standard }: AlertLimit): number => values.get(name) ?? standard;
  for (const { name, text, shown = quoted(text) } of assignments) {
    const limit = byName.get(name);
    if (limit === undefined) {
      const help = didYouMean(name, [...byName.keys()]) || "; avax-exporter export rules --set=help lists them";
      problems.push({ name, at: "key", message: `unknown threshold ${quoted(name)}${help}` });
      continue;
    }
    const { unit, least, most } = limit;
    const value = valueOf(text, unit);
    const range = `${KINDS[unit]} from ${written(least, unit)} to ${written(most, unit)}`;
    if (value !== undefined && value >= least && value <= most) values.set(name, value);
    else problems.push({ name, at: "value", message: `${name} must be ${range}; found ${shown}` });
  }
  for (const limit of limits) {
    const larger = byName.get(limit.below ?? "");
    if (larger === undefined || currentOf(limit) < currentOf(larger)) continue;
    const name = values.has(limit.name) ? limit.name : larger.name;
    const [less, more] = [limit, larger].map((of) => `${of.name} (${written(currentOf(of), of.unit)})`);
    problems.push({ name, at: "value", message: `${less} must be less than ${more}` });
  }
  return { values, problems };
}

function valueOf(text: string, unit: LimitUnit): number | undefined {
  if (unit === "seconds") {
    const seconds = parseDuration(text);
    return seconds === undefined || !Number.isInteger(seconds) ? undefined : seconds;
  }
  const [, digits, percent] = /^(\d{1,6}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? [];
  if (digits === undefined || (percent === "%" && unit !== "share")) return undefined;
  const value = Number(digits);
  if (unit === "number") return Number.isInteger(value) ? value : undefined;
  return percent === "%" ? Number((value / 100).toPrecision(12)) : value;
}

const KINDS: Readonly<Record<LimitUnit, string>> = {
  share: "a share",
  seconds: "a duration in whole seconds",
  number: "a number",
};

/** A share in percent, without the rounding errors of a multiplication. */
export function percentOf(share: number): number {
  return Number((share * 100).toPrecision(12));
}

/** A value as the configuration and `--set` read it: "15%", "4d", "5". */
export function written(value: number, unit: LimitUnit): string {
  if (unit === "share") return `${percentOf(value)}%`;
  if (unit === "number") return String(value);
  const [letter, length] = (
    [
      ["d", 86_400],
      ["h", 3600],
      ["m", 60],
    ] as const
  ).find(([, span]) => value > 0 && value % span === 0) ?? ["s", 1];
  return `${value / length}${letter}`;
}
