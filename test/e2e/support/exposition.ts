/** A series with its value, as the tests compare them. */
export type Series = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** The same text for the same series. Labels without a value are dropped, as in Prometheus. */
export function seriesKey(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== "");
  const inside = pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${inside.join(",")}}`;
}

/** Lines of a text exposition that hold a sample. */
export function sampleLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of a text exposition by `seriesKey`. */
export function parseExposition(text: string): ReadonlyMap<string, Series> {
  return new Map(
    sampleLines(text).map((line) => {
      const [, name = "", inside = "", value = ""] = LINE.exec(line) ?? [];
      if (name === "") throw new Error(`no sample: ${line}`);
      const labels = Object.fromEntries(
        [...inside.matchAll(LABEL)].map(([, label = "", text = ""]) => [label, unescaped(text)]),
      );
      return [seriesKey(name, labels), { name, labels, value: Number(value.replace("Inf", "Infinity")) }];
    }),
  );
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_all, character: string) => (character === "n" ? "\n" : character));
}
