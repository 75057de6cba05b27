import fc from "fast-check";
import { Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from "prom-client";
import { expect, test } from "vitest";
import { createExposition } from "../../src/exposition/exposition.ts";
import { type ExpositionFormat } from "../../src/exposition/render-samples.ts";
import type { Family, HistogramValue, Sample, Value } from "../../src/exposition/sample.ts";
import { openMetricsProblems, readExposition, seriesKey } from "./parse.ts";

/** This renderer and prom-client export the same series and values for the same samples. */

const labelName = fc.constantFrom("a", "b", "_c", "D1", "constructor", "lee");
const hostile = fc.constantFrom(
  '"',
  "\\",
  "\n",
  "\\n",
  '"} 1\n',
  "# EOF\n",
  "\r",
  "\0",
  "🔺",
  "\ud83d",
  "",
  "a,b:",
  "{",
  "}",
  " ",
  "=",
);
const labelValue = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.oneof(hostile, fc.string({ maxLength: 4 })), { maxLength: 6 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", minLength: 190, maxLength: 210 }),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e21, 1e20, 2 ** 53 + 2, -(2 ** 63), 5e-324, Number.MAX_VALUE, Infinity, -Infinity, NaN),
);
const labels = fc
  .uniqueArray(labelName, { maxLength: 4 })
  .chain((names) =>
    fc
      .array(fc.tuple(...names.map(() => labelValue)), { maxLength: 6 })
      .map((rows) => rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""])))),
  );
type Labels = Readonly<Record<string, string>>;
type Kind = "gauge" | "counter" | "histogram";
type Drawn = { readonly kind: Kind; readonly help: string; readonly rows: ReadonlyArray<readonly [Labels, number[]]> };

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    kind: fc.constantFrom<Kind>("gauge", "counter", "histogram"),
    help: fc.string({ unit: "binary" }),
    rows: labels,
  })
  .chain(({ kind, help, rows }) =>
    fc
      .array(fc.array(number, { minLength: 1, maxLength: 5 }), { minLength: rows.length, maxLength: rows.length })
      .map((values) => ({ kind, help, rows: rows.map((row, i) => [row, allowed(kind, values[i] ?? [0])] as const) })),
  );

/** prom-client rejects invalid values of counters and histograms. */
function allowed(kind: Kind, values: number[]): number[] {
  if (kind === "gauge") return values;
  return values.map((value) => (Number.isFinite(value) ? Math.abs(value) : 1));
}

const BOUNDS = [0.005, 1, 2.5, 1e6, 1e21];

function histogramOf(values: readonly number[]): HistogramValue {
  const buckets = BOUNDS.map((bound) => [bound, values.filter((value) => value <= bound).length] as const);
  return { buckets, sum: values.reduce((sum, value) => sum + value, 0), count: values.length };
}

/** The expected label value, implemented differently from the renderer. */
function stored(value: string): string {
  let cut = "";
  for (const character of value) {
    if (cut.length + character.length > 200) break;
    cut += character;
  }
  return cut
    .toWellFormed()
    .replace(/\p{C}|[\p{Zl}\p{Zp}]/gu, (each) => (/\p{Cn}|\p{Co}/u.test(each) ? each : "\ufffd"));
}

function firstOfEach(rows: Drawn["rows"]): Drawn["rows"] {
  const found = new Map<string, Drawn["rows"][number]>();
  for (const [row, values] of rows) {
    const clean = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, stored(value)]));
    const key = seriesKey("", clean);
    if (!found.has(key)) found.set(key, [clean, values]);
  }
  return [...found.values()];
}

function registryFor(format: ExpositionFormat): Registry | Registry<OpenMetricsContentType> {
  if (format === "text") return new Registry();
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Each sample has its own registry, because prom-client confuses some label sets. */
async function byPeer(
  name: string,
  kind: Kind,
  rows: Drawn["rows"],
  type: ExpositionFormat,
): Promise<Map<string, number>> {
  const series = new Map<string, number>();
  for (const [row, values] of rows) {
    const registry = registryFor(type);
    const settings = { name, help: "help", labelNames: Object.keys(row), registers: [registry] };
    const [value = 0] = values;
    if (kind === "gauge") new Gauge(settings).set(row, value);
    else if (kind === "counter") new Counter(settings).inc(row, value);
    else {
      const histogram = new Histogram({ ...settings, buckets: BOUNDS });
      for (const each of values) histogram.observe(row, each);
    }
    for (const [key, read] of readExposition(await registry.metrics()).series) series.set(key, read);
  }
  return series;
}

function sampleOf(kind: Kind, [row, values]: Drawn["rows"][number]): Sample<string, Value | HistogramValue> {
  return [row, kind === "histogram" ? histogramOf(values) : values[0]];
}

/** Prometheus does not distinguish -0 and 0. */
function sorted(series: ReadonlyMap<string, number>): Array<[string, number]> {
  return [...series].map(([key, value]): [string, number] => [key, value + 0]).sort(([a], [b]) => (a < b ? -1 : 1));
}

test.each(["text", "openmetrics"] as const)("the exposition equals prom-client's in %s", async (format) => {
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 3 }), async (draws) => {
      const families = draws.map(({ kind, help }, i): Family => ({
        name: `avax_f${i}${kind === "counter" ? "_total" : ""}`,
        help,
        type: kind,
      }));
      const exposition = createExposition(families);
      const peer = new Map<string, number>();
      for (const [i, { kind, rows }] of draws.entries()) {
        const family = families[i] as Family;
        const samples = rows.map((row) => sampleOf(kind, row));
        const kept = firstOfEach(rows);
        expect(exposition.set(family.name, "t", {}, samples)).toBe(rows.length - kept.length);
        for (const [key, value] of await byPeer(family.name, kind, kept, format)) peer.set(key, value);
      }
      const text = exposition.scrape({ format, gzip: false }).toString();
      const read = readExposition(text);
      expect(sorted(read.series)).toEqual(sorted(peer));
      expect(read.series.size).toBe(exposition.series());
      if (format === "openmetrics") expect(openMetricsProblems(text)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
