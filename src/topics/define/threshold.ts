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

/** Every threshold that is declared, by name. */
const DECLARED = new Map<string, Threshold>();

/** A threshold; in a template it is its place, which `withThresholds` fills. */
export function threshold(
  name: string,
  unit: LimitUnit,
  about: string,
  limits: Omit<AlertLimit, "name" | "unit">,
): Threshold {
  if (DECLARED.has(name)) throw new Error(`two thresholds are called ${name}`);
  const limit = { name, unit, ...limits };
  const declared = { limit, about, words: `${BEGIN}${name}${WORDS}${END}`, toString: () => `${BEGIN}${name}${END}` };
  DECLARED.set(name, declared);
  return declared;
}

/** The thresholds with a place in a text. */
export function thresholdsIn(text: string): readonly Threshold[] {
  const names = [...text.matchAll(PLACE)].map(([, name = ""]) => name);
  return [...new Set(names)].flatMap((name) => DECLARED.get(name) ?? []);
}

/** A text with the values of its thresholds. @param values by name, in the unit of the threshold; without one it has its standard */
export function withThresholds(text: string, values: ReadonlyMap<string, number>): string {
  return text.replaceAll(PLACE, (place: string, name: string, words: string) => {
    const limit = DECLARED.get(name)?.limit;
    if (limit === undefined) return place;
    const value = values.get(name) ?? limit.standard;
    return words === "" ? String(value) : inWords(value, limit.unit);
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
