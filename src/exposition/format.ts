import { finish, inSteps, type Work } from "../runtime/work.ts";
import type { Family, HistogramValue, Sample, Value } from "./sample.ts";

/**
 * Samples become lines here, at the poll and not at the scrape. A line is written so that it is valid in the text format
 * 0.0.4 and in OpenMetrics 1.0 alike, so its bytes serve both; what differs between the two is in the headers alone.
 */

export type Format = "text" | "openmetrics";

export type Rendered = { readonly text: string; readonly series: number; readonly duplicates: number };

type Labels = Readonly<Record<string, string>>;
type Samples = ReadonlyArray<Sample<string, Value | HistogramValue>>;

/** Label values come from nodes too; beyond this many UTF-16 units they are cut. */
const LONGEST_LABEL_VALUE = 200;

const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Everything that may not stand for itself: the three escapes, surrogates, which may lack their other half, and NUL, which
 * readers written in C style take for the end.
 */
const SPECIAL = /[\\"\n\0\ud800-\udfff]/;
const NUL = /\0/g;

/**
 * Renders the sample lines of one family for one target; the text is "" when there are none. The labels of `base` come
 * first; a sample's label of the same name replaces them. Undefined values are absent, booleans are 1 and 0, empty label
 * values leave the label out. A label set seen before in the block is dropped and counted in `duplicates`.
 * @throws TypeError when a label name is none.
 */
export function renderSamples(family: Pick<Family, "name" | "type">, base: Labels, samples: Samples): Rendered {
  return finish(renderInSteps(family, base, samples));
}

/** Samples that one step renders: some half a millisecond. */
const STEP = 250;

/** As `renderSamples`; a large block takes several steps. */
export function* renderInSteps(family: Pick<Family, "name" | "type">, base: Labels, samples: Samples): Work<Rendered> {
  const block = arrange(base, samples, family.type === "histogram" ? "le" : undefined);
  const seen = samples.length > 1 ? new Set<string>() : undefined;
  const lines: string[] = [];
  let series = 0;
  let duplicates = 0;
  const write = ([labels, value]: Samples[number]): void => {
    if (value === undefined) return;
    const written = writeLabels(block, labels);
    if (seen?.has(written) === true) {
      duplicates++;
      return;
    }
    seen?.add(written);
    if (typeof value === "object") {
      const histogram = writeHistogram(family.name, written, value);
      lines.push(histogram.text);
      series += histogram.series;
    } else {
      lines.push(line(family.name, written, Number(value)));
      series++;
    }
  };
  yield* inSteps(block.samples, write, STEP);
  // Joined, not added up: a text made of thousands of parts would be put together by its first reader, all at once.
  return { text: lines.join(""), series, duplicates };
}

type Block = {
  /** The base labels as written, without braces. */
  readonly base: string;
  readonly names: readonly string[];
  /** The names as written before a value: as the first label, and after another one. */
  readonly first: readonly string[];
  readonly next: readonly string[];
  readonly samples: Samples;
};

/**
 * Finds the label names of a block. Samples of one metric have the same names in the same order; those that do not are
 * brought to one order, so that equal label sets are equal text.
 */
function arrange(base: Labels, samples: Samples, reserved: string | undefined): Block {
  const names = Object.keys(samples[0]?.[0] ?? {});
  const regular = sameNames(names, samples) && !names.some((name) => Object.hasOwn(base, name));
  const block = regular ? { base, names, samples } : merge(base, samples);
  const kept = block.names.filter((name) => name !== reserved);
  for (const name of kept) checkName(name);
  return {
    base: writeBase(block.base),
    names: kept,
    first: kept.map((name) => `${name}="`),
    next: kept.map((name) => `,${name}="`),
    samples: block.samples,
  };
}

function sameNames(names: readonly string[], samples: Samples): boolean {
  for (const [labels] of samples) {
    let count = 0;
    for (const name in labels) if (names[count++] !== name) return false;
    if (count !== names.length) return false;
  }
  return true;
}

function merge(base: Labels, samples: Samples): { base: Labels; names: readonly string[]; samples: Samples } {
  // Without a prototype: a label may be called `constructor`.
  const merged = samples.map(
    ([labels, value]) => [Object.assign(Object.create(null) as object, base, labels), value] as const,
  );
  const own = new Set(samples.flatMap(([labels]) => Object.keys(labels)));
  for (const name of Object.keys(base)) own.delete(name);
  return { base: {}, names: [...Object.keys(base), ...[...own].sort()], samples: merged };
}

function checkName(name: string): void {
  if (!LABEL_NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a label name`);
}

function writeBase(base: Labels): string {
  let text = "";
  for (const [name, value] of Object.entries(base)) {
    checkName(name);
    if (value !== "") text += `${text === "" ? "" : ","}${name}="${escapeLabelValue(value)}"`;
  }
  return text;
}

function writeLabels(block: Block, labels: Labels): string {
  const { names } = block;
  let text = block.base;
  for (let i = 0; i < names.length; i++) {
    const value = labels[names[i] as string];
    if (value === undefined || value === "") continue;
    text += ((text === "" ? block.first : block.next)[i] as string) + escapeLabelValue(value) + '"';
  }
  return text;
}

function line(name: string, labels: string, value: number): string {
  return name + (labels === "" ? " " : "{" + labels + "} ") + formatValue(value) + "\n";
}

function writeHistogram(name: string, labels: string, { buckets, sum, count }: HistogramValue) {
  const open = `${name}_bucket{${labels}${labels === "" ? "" : ","}le="`;
  let text = "";
  let series = 3;
  for (const [bound, cumulative] of buckets) {
    if (bound === Infinity) continue;
    text += `${open}${canonicalNumber(bound)}"} ${formatValue(cumulative)}\n`;
    series++;
  }
  text += `${open}+Inf"} ${formatValue(count)}\n`;
  return { text: text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count), series };
}

/** A label value between its quotes: cut, well-formed, escaped. */
export function escapeLabelValue(value: string): string {
  const cut = value.length > LONGEST_LABEL_VALUE ? cutBetweenCharacters(value) : value;
  if (!SPECIAL.test(cut)) return cut;
  return escapeText(cut).replaceAll('"', '\\"');
}

function cutBetweenCharacters(value: string): string {
  const last = value.charCodeAt(LONGEST_LABEL_VALUE - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return value.slice(0, LONGEST_LABEL_VALUE - (splitsPair ? 1 : 0));
}

function escapeText(text: string): string {
  return text.toWellFormed().replace(NUL, "\ufffd").replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** A sample's value in the shortest form that reads back the same; whole numbers below 1e21 are plain digits. */
export function formatValue(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return `${value}`;
}

/**
 * A number in a label (`le`, `quantile`), where other spellings make other series: as Go writes a float64, with ".0"
 * behind whole numbers, which OpenMetrics calls canonical and Prometheus 3 makes of all others.
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

/** The HELP and TYPE lines of a family; no HELP line when there is no help. */
export function renderHeader(family: Family, format: Format): string {
  const { name, type } = format === "openmetrics" ? openMetricsFamily(family) : textFamily(family);
  const help = escapeText(family.help);
  // Only OpenMetrics escapes quotes here; in the older format a backslash before one would be shown.
  const shown = format === "openmetrics" ? help.replaceAll('"', '\\"') : help;
  return `${shown === "" ? "" : `# HELP ${name} ${shown}\n`}# TYPE ${name} ${type}\n`;
}

function textFamily({ name, type }: Family): { name: string; type: string } {
  return { name, type: type === "info" ? "gauge" : type };
}

/** OpenMetrics names a family without the suffix that its type gives to the samples. */
function openMetricsFamily({ name, type }: Family): { name: string; type: string } {
  if (type === "counter") return withoutSuffix(name, "_total", type, "unknown");
  if (type === "info") return withoutSuffix(name, "_info", type, "gauge");
  return { name, type };
}

function withoutSuffix(name: string, suffix: string, type: string, otherwise: string): { name: string; type: string } {
  if (!name.endsWith(suffix)) return { name, type: otherwise };
  return { name: name.slice(0, -suffix.length), type };
}

/** Every name that a family takes for itself in either format: no other family may take one of them. */
export function reservedNames(family: Family): ReadonlySet<string> {
  const suffixes = { histogram: ["_bucket", "_sum", "_count"], summary: ["_sum", "_count"] } as const;
  const more = family.type === "histogram" || family.type === "summary" ? suffixes[family.type] : [];
  return new Set([family.name, openMetricsFamily(family).name, ...more.map((suffix) => family.name + suffix)]);
}
