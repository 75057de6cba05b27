/**
 * A small parser of both formats, independent of the renderer. Its result is what Prometheus would store.
 */

type Read = {
  /** Values by series key. */
  readonly series: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, string>;
  readonly help: ReadonlyMap<string, string>;
};

const UNESCAPED: Readonly<Record<string, string>> = { n: "\n", '"': '"', "\\": "\\" };
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gsy;

function unescape(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => UNESCAPED[letter] ?? `\\${letter}`);
}

function number(text: string): number {
  const special: Readonly<Record<string, number>> = { "+Inf": Infinity, "-Inf": -Infinity, NaN, Nan: NaN };
  return special[text] ?? Number(text);
}

/** Name and sorted labels as JSON. Empty labels are omitted, and bounds are normalized as numbers. */
export function seriesKey(name: string, labels: Readonly<Record<string, string>>): string {
  const shown = Object.entries(labels)
    .filter(([, value]) => value !== "")
    .map(([label, value]) => [label, label === "le" || label === "quantile" ? String(number(value)) : value])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return JSON.stringify([name, ...shown]);
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  for (let found = LABEL.exec(text); found !== null; found = LABEL.exec(text)) {
    const [, name = "", value = ""] = found;
    if (Object.hasOwn(labels, name)) throw new Error(`label ${name} twice: ${line}`);
    labels[name] = unescape(value);
    end = LABEL.lastIndex;
  }
  if (end !== text.length) throw new Error(`labels: ${line}`);
  return labels;
}

/** @throws Error for an invalid line or a repeated series */
export function readExposition(text: string): Read {
  const series = new Map<string, number>();
  const types = new Map<string, string>();
  const help = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line === "" || line === "# EOF") continue;
    if (line.startsWith("# UNIT ")) continue;
    const meta = /^# (HELP|TYPE) (\S+) (.*)$/s.exec(line);
    if (meta !== null) {
      const [, kind, name = "", rest = ""] = meta;
      (kind === "HELP" ? help : types).set(name, kind === "HELP" ? unescape(rest) : rest);
      continue;
    }
    const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name === "") throw new Error(`no sample: ${JSON.stringify(line)}`);
    const key = seriesKey(name, readLabels(labels, line));
    if (series.has(key)) throw new Error(`series twice: ${line}`);
    series.set(key, number(value));
  }
  return { series, types, help };
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total"],
  info: ["_info"],
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"],
};

/** The violations of OpenMetrics 1.0 in a text. */
export function openMetricsProblems(text: string): string[] {
  const problems: string[] = [];
  if (!text.endsWith("# EOF\n")) problems.push("does not end in EOF");
  const lines = text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1);
  const seen = new Set<string>();
  let family = "";
  let suffixes: readonly string[] = [];
  for (const line of lines) {
    const [, kind, name = "", type = ""] = /^# (HELP|TYPE|UNIT|EOF) ?(\S*) ?(.*)$/s.exec(line) ?? [];
    if (line === "") problems.push("blank line");
    else if (kind === "EOF") problems.push("EOF before the end");
    else if (kind !== undefined) {
      if (name !== family && seen.has(name)) problems.push(`family twice: ${name}`);
      seen.add(name);
      family = name;
      if (kind === "UNIT" && !name.endsWith(`_${type}`)) problems.push(`${name} does not end with its unit ${type}`);
      if (kind === "TYPE") suffixes = SUFFIXES[type] ?? [""];
    } else if (!suffixes.some((suffix) => new RegExp(`^${family}${suffix}[{ ]`).test(line))) {
      problems.push(`not a sample of ${family}: ${line}`);
    }
  }
  return problems;
}
