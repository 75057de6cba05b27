import type { Labelling } from "./expression.ts";

/** Sorted by name. Labels without a value are not included. */
export type Labels = ReadonlyMap<string, string>;

/** The labels of a series, as on /metrics. They are parsed on demand, because most series only have their value compared. */
type Series = { readonly text: string; parsed: Labels | undefined };

export type Sample = {
  /** Empty in the result of an operation that drops the metric's name. */
  readonly name: string;
  readonly series: Series;
  readonly value: number;
};

export function labelsOf({ series }: Sample): Labels {
  series.parsed ??= parseLabels(series.text);
  return series.parsed;
}

/** A label; `undefined` when it is missing or empty. It is found without parsing the others: that takes most of the time. */
export function labelOf(sample: Sample | undefined, name: string): string | undefined {
  if (sample === undefined) return undefined;
  const { text, parsed } = sample.series;
  if (parsed !== undefined || text.includes("\\")) return labelsOf(sample).get(name) || undefined;
  const at = `,${text}`.indexOf(`,${name}="`);
  const from = at + name.length + 2;
  return (at >= 0 && text.slice(from, text.indexOf('"', from))) || undefined;
}

/** `chain="C",node="a"`. */
export function formatLabels(sample: Sample): string {
  return [...labelsOf(sample)].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",");
}

export function seriesOf(labels: Labels): Series {
  return { text: "", parsed: labels };
}

export function sorted(entries: ReadonlyArray<readonly [string, string]>): Labels {
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses the text between the braces of a sample line. */
function parseLabels(text: string): Labels {
  const entries: Array<readonly [string, string]> = [];
  for (let at = 0; at < text.length;) {
    const equals = text.indexOf("=", at);
    const from = equals + 2;
    let end = from;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const value = text.slice(from, end);
    entries.push([text.slice(at, equals), value.includes("\\") ? unescaped(value) : value]);
    at = end + 2;
  }
  return sorted(entries);
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_all, character: string) => (character === "n" ? "\n" : character));
}

/** Parses the sample lines of a text exposition. */
export function readSamples(lines: string): readonly Sample[] {
  return lines.split("\n").flatMap((line) => (line === "" || line.startsWith("#") ? [] : readLine(line)));
}

function readLine(line: string): Sample {
  const space = line.lastIndexOf(" ");
  const brace = line.indexOf("{");
  const name = line.slice(0, brace < 0 ? space : brace);
  const text = brace < 0 ? "" : line.slice(brace + 1, space - 1);
  return { name, series: { text, parsed: undefined }, value: Number(line.slice(space + 1).replace("Inf", "Infinity")) };
}

/** The labels used for matching or grouping. The metric's name is never one of them. */
export function labelsKept(sample: Sample, { keep, labels }: Labelling): Labels {
  const all = labelsOf(sample);
  if (!keep && labels.length === 0) return all;
  return new Map([...all].filter(([name]) => labels.includes(name) === keep));
}

/** Equal for samples that have equal values of these labels. A missing label equals an empty one. */
export function signature(sample: Sample, { keep, labels }: Labelling): string {
  let text = "";
  if (keep) for (const name of labels) text += `${labelOf(sample, name) ?? ""}\0`;
  else for (const [name, value] of labelsOf(sample)) if (!labels.includes(name)) text += `${name}\0${value}\0`;
  return text;
}
