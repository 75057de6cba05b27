import type { Labelling } from "./expression.ts";

/** Sorted by name, without empty values. */
export type Labels = ReadonlyMap<string, string>;

/** The labels of a series as they are written on /metrics, read when somebody asks: most series only have their value compared. */
export type Series = { readonly text: string; read: Labels | undefined };

export type Sample = {
  /** Empty where an operation made a value that is no longer the metric's. */
  readonly name: string;
  readonly series: Series;
  readonly value: number;
};

export function labelsOf({ series }: Sample): Labels {
  series.read ??= readLabels(series.text);
  return series.read;
}

export function seriesOf(labels: Labels): Series {
  return { text: "", read: labels };
}

export function sorted(entries: ReadonlyArray<readonly [string, string]>): Labels {
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The labels between the braces of a line of the text format. */
function readLabels(text: string): Labels {
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

/** The samples among the lines of a text exposition. */
export function readSamples(lines: string): readonly Sample[] {
  const samples: Sample[] = [];
  for (let at = 0; at < lines.length;) {
    const found = lines.indexOf("\n", at);
    const end = found < 0 ? lines.length : found;
    if (end > at && lines[at] !== "#") samples.push(readLine(lines.slice(at, end)));
    at = end + 1;
  }
  return samples;
}

function readLine(line: string): Sample {
  const space = line.lastIndexOf(" ");
  const brace = line.indexOf("{");
  const name = line.slice(0, brace < 0 ? space : brace);
  const text = brace < 0 ? "" : line.slice(brace + 1, space - 1);
  return { name, series: { text, read: undefined }, value: readValue(line.slice(space + 1)) };
}

function readValue(text: string): number {
  if (text === "+Inf") return Infinity;
  return text === "-Inf" ? -Infinity : Number(text);
}

/** The labels that are compared or grouped by; the name of the metric never is. */
export function labelsKept(sample: Sample, { keep, labels }: Labelling): Labels {
  const all = labelsOf(sample);
  if (!keep && labels.length === 0) return all;
  return new Map([...all].filter(([name]) => labels.includes(name) === keep));
}

/** The same text for samples that agree in these labels; a missing label is an empty one. */
export function signature(sample: Sample, { keep, labels }: Labelling): string {
  const all = labelsOf(sample);
  let text = "";
  if (keep) for (const name of labels) text += `${all.get(name) ?? ""}\0`;
  else for (const [name, value] of all) if (!labels.includes(name)) text += `${name}\0${value}\0`;
  return text;
}
