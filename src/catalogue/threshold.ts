/** A limit of an alert that a user may change with `export rules --set`. */
export type Threshold = {
  readonly name: string;
  /** When the alert fires, as the end of "fires …". */
  readonly about: string;
  readonly unit: ThresholdUnit;
  /** In the unit of the expression: a share of 1, seconds, or a number. */
  readonly standard: number;
  readonly least: number;
  readonly most: number;
  /** Another threshold that must be larger: with a smaller one an alert could not fire. */
  readonly below?: string;
  /** Its place in the words of an alert, such as "15 %" or "4 days". */
  readonly words: string;
  /** Its place in an expression. */
  readonly toString: () => string;
};

export type ThresholdUnit = "share" | "seconds" | "number";

/** Values of thresholds by name, in the unit of their expressions; the others have their standard. */
export type ThresholdValues = ReadonlyMap<string, number>;

/** Marks that no text has: characters for private use. */
const BEGIN = "\u{e000}";
const END = "\u{e001}";
const WORDS = "\u{e002}";
const PLACE = /\u{e000}([a-z0-9-]+)(\u{e002}?)\u{e001}/gu;

/** A threshold; in a template it is its place, which `withThresholds` fills. */
export function threshold(of: Omit<Threshold, "words" | "toString">): Threshold {
  return { ...of, words: `${BEGIN}${of.name}${WORDS}${END}`, toString: () => `${BEGIN}${of.name}${END}` };
}

/**
 * A text with the values of its thresholds.
 * @throws Error for a place of a threshold that no alert declares
 */
export function withThresholds(text: string, thresholds: readonly Threshold[], values: ThresholdValues): string {
  return text.replaceAll(PLACE, (_place, name: string, words: string) => {
    const found = thresholds.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no alert declares the threshold ${name}`);
    const value = values.get(name) ?? found.standard;
    return words === "" ? String(value) : inWords(value, found.unit);
  });
}

/** A value for people: "15 %", "4 days", "5". */
export function inWords(value: number, unit: ThresholdUnit): string {
  if (unit === "share") return `${percentOf(value)} %`;
  return unit === "seconds" ? durationInWords(value) : String(value);
}

/** Without the rounding errors of a multiplication. */
function percentOf(share: number): number {
  return Number((share * 100).toPrecision(12));
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

/** A value as `--set` reads it: "15%", "4d", "5". */
export function written(value: number, unit: ThresholdUnit): string {
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
