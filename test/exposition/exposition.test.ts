import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExposition, type Exposition, type ScrapeOptions } from "../../src/exposition/exposition.ts";
import { renderHeader, type ExpositionFormat } from "../../src/exposition/render-samples.ts";
import type { Family, Sample } from "../../src/exposition/sample.ts";
import { openMetricsProblems } from "./parse.ts";

const FAMILIES: readonly Family[] = [
  { name: "avax_up", help: "Whether it is up.", type: "gauge" },
  { name: "avax_blocks_total", help: "Blocks.", type: "counter" },
  { name: "avax_node_info", help: 'What the node "is".', type: "info" },
  { name: "avax_delay_seconds", help: "Delay.", type: "gauge" },
];

function lines(family: string, target: string, count: number, value: number): string {
  return Array.from({ length: count }, (_, i) => `${family}{node="${target}",i="${i}"} ${value}\n`).join("");
}

function samples(count: number, value: number): ReadonlyArray<Sample<"i">> {
  return Array.from({ length: count }, (_, i) => [{ i: String(i) }, value] as const);
}

/** The text of a scrape, which compressed bytes have too. */
function text(exposition: Exposition, options: Partial<ScrapeOptions> = {}): string {
  const scrape = (gzip: boolean) => exposition.scrape({ format: "text", ...options, gzip });
  const plain = scrape(false);
  expect(gunzipSync(scrape(true)).equals(plain)).toBe(true);
  return plain.toString();
}

describe("an exposition", () => {
  test("sorts targets by name, whoever answers first, keeps the order of families, and omits those without lines", () => {
    for (const nodes of [
      ["a", "b", "B"],
      ["b", "B", "a"],
    ]) {
      const exposition = createExposition(FAMILIES);
      exposition.set("avax_delay_seconds", "a", {}, [[{}, 1]]);
      for (const node of nodes) exposition.set("avax_up", node, { node }, [[{}, 1]]);
      expect(text(exposition)).toBe(
        '# HELP avax_up Whether it is up.\n# TYPE avax_up gauge\navax_up{node="B"} 1\navax_up{node="a"} 1\navax_up{node="b"} 1\n' +
          "# HELP avax_delay_seconds Delay.\n# TYPE avax_delay_seconds gauge\navax_delay_seconds 1\n",
      );
    }
  });

  test("has the last lines of each target, and none of one that was removed", () => {
    const exposition = createExposition(FAMILIES);
    exposition.set("avax_up", "b", { node: "b" }, [[{}, 1]]);
    exposition.set("avax_up", "a", { node: "é" }, [[{}, 0]]);
    exposition.set("avax_up", "a", { node: "é" }, [[{}, 1]]);
    exposition.set("avax_up", "b", {}, []);
    expect(text(exposition)).toBe('# HELP avax_up Whether it is up.\n# TYPE avax_up gauge\navax_up{node="é"} 1\n');
  });

  test("replaces a label, a value or a base that changes, and counts what is repeated each time", () => {
    const exposition = createExposition(FAMILIES);
    const set = (base: Readonly<Record<string, string>>, ...rows: ReadonlyArray<Sample<"c">>) =>
      exposition.set("avax_up", "a", base, rows);
    const shown = () =>
      text(exposition)
        .split("\n")
        .filter((each) => each.startsWith("avax_up"));
    for (const [base, rows, lines] of [
      [{ node: "a" }, [[{ c: "x" }, 1]], ['avax_up{node="a",c="x"} 1']],
      [{ node: "a" }, [[{ c: "y" }, 1]], ['avax_up{node="a",c="y"} 1']],
      [{ node: "a" }, [[{ c: "y" }, 2]], ['avax_up{node="a",c="y"} 2']],
      [{ node: "b" }, [[{ c: "y" }, 2]], ['avax_up{node="b",c="y"} 2']],
      [{ node: "b", of: "z" }, [[{ c: "y" }, 2]], ['avax_up{node="b",of="z",c="y"} 2']],
      [{ node: "b" }, [[{ c: "y" }, undefined]], []],
      [{ node: "b" }, [[{ c: "y" }, NaN]], ['avax_up{node="b",c="y"} NaN']],
    ] as const) {
      expect(set(base, ...rows)).toBe(0);
      expect(shown()).toEqual(lines);
      expect(exposition.series()).toBe(lines.length);
    }
    for (let round = 0; round < 2; round++) expect(set({}, [{ c: "y" }, 2], [{ c: "y" }, 3])).toBe(1);
    const read = exposition.readings("avax_up").map(({ name, labels, value }) => [name, labels, value]);
    expect(read).toEqual([["avax_up", { c: "y" }, 2]]);
  });

  test("rejects a name of two families, and an unknown family", () => {
    expect(() => createExposition([...FAMILIES, ...FAMILIES])).toThrow("two families have one name");
    const exposition = createExposition(FAMILIES);
    expect(() => exposition.set("avax_down", "a", {}, [[{}, 1]])).toThrow(RangeError);
  });

  test("appends the caller's families before the EOF mark, omits empty ones, and has only those that are wanted", () => {
    const exposition = createExposition(FAMILIES);
    exposition.set("avax_up", "a", {}, [[{}, 1]]);
    exposition.set("avax_blocks_total", "a", {}, [[{}, 5]]);
    const extra = [
      { family: { name: "own_total", help: "Own.", type: "counter" }, text: "own_total 3\n" },
      { family: { name: "silent", help: "", type: "gauge" }, text: "" },
    ] as const;
    const of = (...only: readonly string[]) => text(exposition, { format: "openmetrics", extra, only: new Set(only) });
    const up = "# HELP avax_up Whether it is up.\n# TYPE avax_up gauge\navax_up 1\n";
    const blocks = "# HELP avax_blocks Blocks.\n# TYPE avax_blocks counter\navax_blocks_total 5\n";
    const own = "# HELP own Own.\n# TYPE own counter\nown_total 3\n";
    expect(text(exposition, { format: "openmetrics", extra })).toBe(`${up}${blocks}${own}# EOF\n`);
    expect(of("avax_up", "silent")).toBe(`${up}# EOF\n`);
    expect(of("own_total")).toBe(`${own}# EOF\n`);
    expect(of("unknown")).toBe("# EOF\n");
  });
});

type Operation =
  | { readonly family: number; readonly target: string; readonly count: number; readonly value: number }
  | { readonly format: ExpositionFormat };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      family: fc.nat(3),
      target: fc.constantFrom("a", "b", "c", "ä", "Z", "\u{1f53a}", "\uffee", "node-1", "node-10"),
      count: fc.oneof(fc.nat(3), fc.nat(1500)),
      value: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ format: fc.constantFrom<ExpositionFormat>("text", "openmetrics") }) },
);

function expected(model: ReadonlyMap<string, string>, format: ExpositionFormat): string {
  const parts = FAMILIES.map((family) => {
    const own = [...model].filter(([key]) => key.startsWith(`${family.name} `)).sort(([a], [b]) => (a < b ? -1 : 1));
    return own.length === 0 ? "" : renderHeader(family, format) + own.map(([, each]) => each).join("");
  });
  return parts.join("") + (format === "openmetrics" ? "# EOF\n" : "");
}

test("texts are compressed whole, whatever their length and characters", () => {
  const node = fc.constantFrom("a", "é", "💥");
  const count = fc.constantFrom(0, 1, 3_000, 12_000, 40_000);
  fc.assert(
    fc.property(fc.array(fc.tuple(node, count), { maxLength: 5 }), (targets) => {
      const exposition = createExposition(FAMILIES);
      for (const [index, [name, rows]] of targets.entries())
        exposition.set("avax_up", `${index}`, { node: name.repeat(20) }, samples(rows, index));
      expect(
        text(exposition)
          .split("\n")
          .filter((each) => each.startsWith("avax_up")),
      ).toHaveLength(exposition.series());
    }),
    { numRuns: 20 },
  );
});

test("compressed and plain scrapes contain the last values after any operations", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const exposition = createExposition(FAMILIES);
      const model = new Map<string, string>();
      for (const each of [...operations, { format: "openmetrics" } as const]) {
        if ("format" in each) {
          const whole = expected(model, each.format);
          expect(text(exposition, each) === whole).toBe(true);
          if (each.format === "openmetrics") expect(openMetricsProblems(whole)).toEqual([]);
          continue;
        }
        const { name } = FAMILIES[each.family] as Family;
        const block = lines(name, each.target, each.count, each.value);
        exposition.set(name, each.target, { node: each.target }, samples(each.count, each.value));
        if (block === "") model.delete(`${name} ${each.target}`);
        else model.set(`${name} ${each.target}`, block);
      }
      expect(exposition.series()).toBe([...model.values()].join("").split("\n").length - 1);
    }),
    { numRuns: 60 },
  );
});

/** Few of each, so that most sets repeat labels, values or both of the one before. */
const few = fc.constantFrom("", "x", "y\n");
const row: fc.Arbitrary<Sample> = fc.tuple(
  fc.oneof(fc.record({ a: few }), fc.record({ a: few, b: few }), fc.record({ a: few, node: few })),
  fc.constantFrom(undefined, true, 0, 1, NaN),
);
const given = fc.record({
  target: fc.constantFrom("a", "b"),
  base: fc.oneof(fc.constant({}), fc.record({ node: few }), fc.record({ node: few, a: few })),
  rows: fc.array(row, { maxLength: 3 }),
});

/** Nothing is written of these labels; `node` hides that of a base. */
const HIDDEN: ReadonlyArray<Sample> = [[{ a: "", node: "" }, 1]];
const SHOWN: ReadonlyArray<Sample> = [[{ a: "" }, 1]];

test("what was set before does not show: text, readings and repeats are those of the last samples of each target", () => {
  fc.assert(
    fc.property(fc.array(given, { maxLength: 12 }), (all) => {
      const [kept, fresh] = [createExposition(FAMILIES), createExposition(FAMILIES)];
      const set = (of: Exposition, { target, base, rows }: (typeof all)[number]) =>
        of.set("avax_up", target, base, rows);
      const repeats = all.map((each) => set(kept, each));
      for (const [index, each] of all.entries())
        if (!all.slice(index + 1).some(({ target }) => target === each.target))
          expect(set(fresh, each)).toBe(repeats[index]);
      expect(text(kept)).toBe(text(fresh));
      expect(readingsOf(kept)).toEqual(readingsOf(fresh));
      expect(kept.series()).toBe(fresh.series());
    }),
    {
      numRuns: 1000,
      examples: [
        [
          [
            { target: "a", base: {}, rows: [...HIDDEN] },
            { target: "a", base: { node: "x" }, rows: [...SHOWN] },
          ],
        ],
      ],
    },
  );
});

/** Targets are in order only in a scrape. */
const readingsOf = (exposition: Exposition): readonly string[] =>
  exposition
    .readings("avax_up")
    .map(({ labels, value }) => JSON.stringify([labels, String(value)]))
    .sort();
