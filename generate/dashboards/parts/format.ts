import { DurationInDaysHoursMinutesSeconds } from "@grafana/grafana-foundation-sdk/units";
import {
  MappingType,
  SpecialValueMatch,
  type Threshold,
  type ValueMapping,
} from "@grafana/grafana-foundation-sdk/dashboard";

/** Units that Grafana never converts into a larger one: 100 s stay "100 s" and do not become "1.67 mins". */
export const PLAIN_SECONDS = "suffix:s";
/** Days and hours, as 53 d 21:07:12: a unit that grows shows 7.7 weeks. */
export const SPAN = DurationInDaysHoursMinutesSeconds;
export const PER_MINUTE = "suffix: /min";
export const GWEI = "suffix:gwei";

/** `95–99 %`, of the range `0.95-0.99`. */
export function percentRange(range: string): string {
  return `${range
    .split("-")
    .map((edge) => 100 * Number(edge))
    .join("–")} %`;
}

export type Color =
  ("red" | "orange" | "yellow" | "green" | "blue" | "purple" | "text") | ("dark-red" | "super-light-purple");

/** Texts and colours for values. */
export type Mappings = Readonly<Record<string, readonly [text: string, color: Color]>>;

export const YES_NO: Mappings = { 0: ["no", "red"], 1: ["yes", "green"] };

export function valueMapping(mappings: Mappings): ValueMapping {
  const options = Object.entries(mappings).map(
    ([value, [text, color]], index) => [value, { text, color, index }] as const,
  );
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) };
}

/** A text for what is below 0, in red: a duration that is negative is none. */
function belowZero(text: string): ValueMapping {
  return {
    type: MappingType.RangeToText,
    options: { from: null, to: -1e-9, result: { text, color: "red", index: 95 } },
  };
}

/** The mappings of a panel or a column. */
export function mappingsOf(given: { mappings?: Mappings | undefined; negative?: string | undefined }): ValueMapping[] {
  return [
    ...(given.mappings === undefined ? [] : [valueMapping(given.mappings)]),
    ...(given.negative === undefined ? [] : [belowZero(given.negative)]),
  ];
}

/** Shortens an identifier for a narrow cell; node IDs keep their prefix. The link of the cell has the whole ID. */
export const SHORT_ID: ValueMapping = {
  type: MappingType.RegexToText,
  options: { pattern: "^((?:NodeID-)?\\w{6})\\w{16,}$", result: { text: "$1…", index: 98 } },
};

/** What a node does not offer, as distinct from what is not known. */
export const NOT_OFFERED: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.NotANumber, result: { text: "not offered", color: "text", index: 97 } },
};

/** A neutral text for a cell without a value. */
export const DASH: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.Null, result: { text: "–", color: "text", index: 99 } },
};

/** The colours of values, from the lowest on. */
type Steps = readonly Threshold[];

/** The first colour, then each with the value at which it begins. */
function steps(lowest: Color, ...others: ReadonlyArray<readonly [from: number, color: Color]>): Steps {
  return [{ value: null, color: lowest }, ...others.map(([value, color]) => ({ value, color }))];
}

/** Red on the wrong side of the limit of an alert, orange on that of a warning. */
export const redBelow = (limit: number): Steps => steps("red", [limit, "green"]);
export const redAbove = (limit: number): Steps => steps("green", [limit, "red"]);
export const orangeBelow = (limit: number): Steps => steps("orange", [limit, "green"]);
export const orangeAbove = (limit: number): Steps => steps("green", [limit, "orange"]);
export const redOrangeBelow = (critical: number, warning: number): Steps =>
  steps("red", [critical, "orange"], [warning, "green"]);

export const GREEN = steps("green");
export const DEFAULT_THRESHOLDS = steps("blue");

/**
 * The same limits as lines of a chart: Grafana draws a line in the colour of the steps from its value on, unless these are
 * transparent. So a limit has the colour of its bad side, whichever side that is.
 */
export function asLines(steps: readonly Threshold[]): readonly Threshold[] {
  return steps.map((step) => (BAD.has(step.color) ? step : { ...step, color: "transparent" }));
}

const BAD: ReadonlySet<string> = new Set(["red", "orange", "yellow"]);
