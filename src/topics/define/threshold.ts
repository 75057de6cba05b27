import { percentOf, type AlertLimit, type LimitUnit } from "../../config/base/alert-limit.ts";

/** A limit of alerts that a user may change, with its place in their expressions and texts. */
export type Threshold = {
  readonly limit: AlertLimit;
  /** When the alert fires, as the end of "fires …". */
  readonly about: string;
  /** Its place in the words of an alert, such as "15 %" or "4 days". */
  readonly words: string;
  /** Its place in an expression. */
  readonly toString: () => string;
};

/** Marks that no text has: characters for private use. */
const BEGIN = "\u{e000}";
const END = "\u{e001}";
const WORDS = "\u{e002}";
const PLACE = /\u{e000}([a-z0-9-]+)(\u{e002}?)\u{e001}/gu;

/** A threshold; in a template it is its place, which `withThresholds` fills. */
export function threshold(
  name: string,
  unit: LimitUnit,
  about: string,
  limits: Omit<AlertLimit, "name" | "unit">,
): Threshold {
  return {
    limit: { name, unit, ...limits },
    about,
    words: `${BEGIN}${name}${WORDS}${END}`,
    toString: () => `${BEGIN}${name}${END}`,
  };
}

/**
 * A text with the values of its thresholds.
 * @param values by name, in the unit of the threshold; without one it has its standard
 * @throws Error for a place of a threshold that no alert declares
 */
export function withThresholds(
  text: string,
  thresholds: readonly Threshold[],
  values: ReadonlyMap<string, number>,
): string {
  return text.replaceAll(PLACE, (_place, name: string, words: string) => {
    const found = thresholds.find(({ limit }) => limit.name === name)?.limit;
    if (found === undefined) throw new Error(`no alert declares the threshold ${name}`);
    const value = values.get(name) ?? found.standard;
    return words === "" ? String(value) : inWords(value, found.unit);
  });
}

/** A value for people: "15 %", "4 days", "5". */
export function inWords(value: number, unit: LimitUnit): string {
  if (unit === "share") return `${percentOf(value)} %`;
  return unit === "seconds" ? durationInWords(value) : String(value);
}

const SPANS = [
  ["day", 86_400, 2],
  ["hour", 3600, 2],
  ["minute", 60, 1],
] as const;

/** Seconds in the largest unit that needs no fraction; one day is "24 hours", and one hour "60 minutes". */
export function durationInWords(seconds: number): string {
  const [word, length] = SPANS.find(([, span, least]) => seconds % span === 0 && seconds / span >= least) ?? [
    "second",
    1,
  ];
  const count = seconds / length;
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
