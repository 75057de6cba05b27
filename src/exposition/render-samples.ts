import type { Family, HistogramValue, Sample, SummaryValue, Value } from "./sample.ts";

/**
 * Renders samples as lines. Each line is valid in the text format 0.0.4 and in OpenMetrics
 * 1.0; only the headers differ.
 */

export type ExpositionFormat = "text" | "openmetrics";

export type Rendered = Labelled & Lines;

/** Samples that are exported: the label sets of their series, none twice, and their values. */
export type Labelled = {
  /** The text that the labels of all lines begin with. */
  readonly prefix: string;
  readonly sets: LabelSets;
  readonly values: readonly Exported[];
  /** How many repeated label sets were dropped. */
  readonly duplicates: number;
};

/** Label sets as they were given, and the text of each between the prefix and the closing brace. */
export type LabelSets = { readonly labels: readonly Labels[]; readonly written: readonly string[] };

type Lines = { readonly text: string; readonly series: number };

export type Labels = Readonly<Record<string, string>>;
export type Samples = ReadonlyArray<Sample<string, Value | HistogramValue | SummaryValue>>;
/** The value of a sample that is exported. */
export type Exported = number | HistogramValue | SummaryValue;

/** UTF-16 units to which label values are truncated, because nodes choose some of them. */
const LONGEST_LABEL_VALUE = 200;

/**
 * Characters to check: the three escapes, surrogates, which may be unpaired, and those of `UNPRINTABLE`, roughly: characters beyond
 * Latin-1 are all checked.
 */
const SPECIAL = /[\\"\0-\x1f\x7f-\x9f\xad\u0100-\uffff]/;
/** Controls, which can be commands to a terminal, and characters without a shape, which can reverse the text around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Renders the sample lines of one family and target; "" without samples. The labels of `base` come first; a sample's label of
 * the same name replaces them. Undefined values are omitted, booleans are 1 and 0, and labels with an empty value are omitted.
 * A repeated label set is dropped and counted in `duplicates`.
 */
export function renderSamples(family: Pick<Family, "name" | "type">, base: Labels, samples: Samples): Rendered {
  const { prefix, sets, values, duplicates } = label(family, base, samples);
  const { text, series } = linesOf(family.name, prefix, sets.written, values);
  return { text, series, prefix, sets, values, duplicates };
}

function label({ type }: Pick<Family, "type">, base: Labels, samples: Samples): Labelled {
  const labelling = arrange(base, samples, type === "histogram" ? "le" : undefined);
  const seen = samples.length > 1 ? new Set<string>() : undefined;
  const labels: Labels[] = [];
  const written: string[] = [];
  const values: Exported[] = [];
  let duplicates = 0;
  for (const [own, value] of samples) {
    if (value === undefined) continue;
    const text = writeLabels(labelling, own);
    if (seen?.has(text) === true) {
      duplicates++;
      continue;
    }
    seen?.add(text);
    labels.push(own);
    written.push(text);
    values.push(exportedValue(value));
  }
  return { prefix: labelling.prefix, sets: { labels, written }, values, duplicates };
}

/** The lines of series: those whose values alone have changed are written with the labels that they had. */
export function linesOf(name: string, prefix: string, written: readonly string[], values: readonly Exported[]): Lines {
  /** Joined once, as labels are: a text put together by `+` is a tree of its parts, which are in memory until something reads it. */
  const parts: string[] = [];
  let series = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? NaN;
    const own = written[at] ?? "";
    if (typeof value === "number") {
      addLine(parts, name, prefix, own, value);
      series++;
    } else {
      if ("buckets" in value) series += addBuckets(parts, name, prefix, own, value);
      addLine(parts, `${name}_sum`, prefix, own, value.sum);
      addLine(parts, `${name}_count`, prefix, own, value.count);
      series += 2;
    }
  }
  return { text: parts.join(""), series };
}

export const exportedValue = (value: NonNullable<Samples[number][1]>): Exported =>
  typeof value === "boolean" ? Number(value) : value;

/** The labels of a block of lines: the text that all begin with, the names of the others, and the base for those that a sample lacks. */
type Labelling = { readonly prefix: string; readonly names: readonly string[]; readonly base: Labels };

/** Samples whose names differ are brought to one order, so that equal label sets are equal text. */
function arrange(base: Labels, samples: Samples, reserved: string | undefined): Labelling {
  const first = Object.keys(samples[0]?.[0] ?? {});
  const all = sameNames(first, samples) ? first : [...new Set(samples.flatMap(([each]) => Object.keys(each)))].sort();
  const own = all.filter((name) => name !== reserved);
  const isReplaced = own.some((name) => Object.hasOwn(base, name));
  const names = isReplaced ? [...new Set([...Object.keys(base), ...own])] : own;
  return isReplaced ? { prefix: "", names, base } : { prefix: writeBase(base), names, base: {} };
}

function sameNames(names: readonly string[], samples: Samples): boolean {
  for (const [labels] of samples) {
    let count = 0;
    for (const name in labels) if (names[count++] !== name) return false;
    if (count !== names.length) return false;
  }
  return true;
}

const bases = new WeakMap<Labels, string>();

/** The same labels of a node begin all its lines. */
function writeBase(base: Labels): string {
  const text = bases.get(base) ?? writeLabels({ prefix: "", names: Object.keys(base), base }, {});
  bases.set(base, text);
  return text;
}

function writeLabels({ prefix, names, base }: Labelling, labels: Labels): string {
  const parts: string[] = [];
  for (const name of names) {
    const value = labelOf(name, labels, base);
    if (value === undefined || value === "") continue;
    parts.push(parts.length === 0 && prefix === "" ? "{" : ",", name, '="', escapeLabelValue(value), '"');
  }
  return parts.join("");
}

/** A label of a sample, else of its base. It can have the name of a property that every object has. */
export function labelOf(name: string, labels: Labels, base: Labels): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : Object.hasOwn(base, name) ? base[name] : undefined;
}

function addLine(parts: string[], name: string, prefix: string, own: string, value: number): void {
  const close = prefix === "" && own === "" ? " " : "} ";
  parts.push(name, prefix, own, close, formatValue(value), "\n");
}

/** The buckets of a histogram. @returns their number */
function addBuckets(parts: string[], name: string, prefix: string, own: string, value: HistogramValue): number {
  const bounded = value.buckets.filter(([bound]) => bound !== Infinity);
  const before = `${own}${prefix === "" && own === "" ? "{" : ","}`;
  for (const [bound, cumulative] of bounded)
    addLine(parts, `${name}_bucket`, prefix, `${before}le="${canonicalNumber(bound)}"`, cumulative);
  addLine(parts, `${name}_bucket`, prefix, `${before}le="+Inf"`, value.count);
  return bounded.length + 1;
}

/** A label's value as it is exported: truncated, well-formed and printable. */
export function labelValue(value: string): string {
  const cut = value.length > LONGEST_LABEL_VALUE ? cutBetweenCharacters(value) : value;
  return SPECIAL.test(cut) ? cut.toWellFormed().replace(UNPRINTABLE, "\ufffd") : cut;
}

/** The text between a label's quotes: as it is exported, and escaped. */
export function escapeLabelValue(value: string): string {
  // Nearly all values are plain.
  if (value.length <= LONGEST_LABEL_VALUE && !SPECIAL.test(value)) return value;
  const exported = labelValue(value);
  return SPECIAL.test(exported) ? exported.replaceAll("\\", "\\\\").replaceAll('"', '\\"') : exported;
}

function cutBetweenCharacters(value: string): string {
  const last = value.charCodeAt(LONGEST_LABEL_VALUE - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return value.slice(0, LONGEST_LABEL_VALUE - (splitsPair ? 1 : 0));
}

function escapeText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd").replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** The shortest text that parses to the same number; integers below 1e21 are plain digits. */
function formatValue(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return `${value}`;
}

/**
 * A number in a label (`le`, `quantile`), where a different spelling is a different series. OpenMetrics' canonical form, to which
 * Prometheus 3 converts others: as Go formats a float64, with ".0" after integers.
 */
export function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) return formatValue(value);
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power > 5) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const plain = `${value}`;
  return plain.includes(".") ? plain : `${plain}.0`;
}

/** Units at the end of names. */
const UNIT = /_(seconds|bytes|ratio|avax|gwei)$/;

/** The HELP and TYPE lines of a family, in OpenMetrics with its unit; without help no HELP line. */
export function renderHeader(family: Family, format: ExpositionFormat): string {
  const { name, type } = inFormat(family, format);
  const help = escapeText(family.help);
  // Only OpenMetrics escapes quotes in help texts.
  const escaped = format === "openmetrics" ? help.replaceAll('"', '\\"') : help;
  const unit = format === "openmetrics" ? UNIT.exec(name)?.[1] : undefined;
  const lines = `${escaped === "" ? "" : `# HELP ${name} ${escaped}\n`}# TYPE ${name} ${type}\n`;
  return unit === undefined ? lines : `${lines}# UNIT ${name} ${unit}\n`;
}

/** Name and type as a format has them. */
function inFormat({ name, type }: Family, format: ExpositionFormat): { name: string; type: string } {
  // For the type `info` of OpenMetrics the OpenTelemetry collector drops `_info` from the names of series.
  if (type === "info") return { name, type: "gauge" };
  if (type !== "counter" || format === "text") return { name, type };
  // In OpenMetrics the name of a counter lacks the suffix of its samples.
  return name.endsWith("_total") ? { name: name.slice(0, -"_total".length), type } : { name, type: "unknown" };
}
