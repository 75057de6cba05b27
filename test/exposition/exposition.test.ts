import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExposition } from "../../src/exposition/exposition.ts";
import { renderHeader, type Format } from "../../src/exposition/format.ts";
import type { Family } from "../../src/exposition/sample.ts";
import { openMetricsProblems } from "./parse.ts";
import { FAMILIES, large, lines, text, unzipped } from "./scrapes.ts";

describe("an exposition", () => {
  test("sorts targets by name, keeps the order of families, and omits families without lines", async () => {
    const exposition = createExposition(FAMILIES);
    exposition.set("avax_delay_seconds", "a", "avax_delay_seconds 1\n", 1);
    exposition.set("avax_up", "b", 'avax_up{node="b"} 1\n', 1);
    exposition.set("avax_up", "B", 'avax_up{node="B"} 1\n', 1);
    exposition.set("avax_up", "a", 'avax_up{node="a"} 0\n', 1);
    expect(await text(exposition)).toBe(
      '# HELP avax_up Whether it is up.\n# TYPE avax_up gauge\navax_up{node="B"} 1\navax_up{node="a"} 0\navax_up{node="b"} 1\n' +
        "# HELP avax_delay_seconds Delay.\n# TYPE avax_delay_seconds gauge\navax_delay_seconds 1\n",
    );
    expect(exposition.series()).toBe(4);
    expect(exposition.bytes()).toBe(81);
  });

  test("returns the current lines of a family; later changes do not affect them", async () => {
    const exposition = createExposition(FAMILIES);
    exposition.set("avax_up", "b", 'avax_up{node="b"} 1\n', 1);
    exposition.set("avax_up", "a", 'avax_up{node="é"} 0\n', 1);
    const before = exposition.lines("avax_up");
    await text(exposition);
    exposition.set("avax_up", "a", 'avax_up{node="é"} 1\n', 1);
    exposition.remove("b");
    const read = (some: typeof before) => some.map((each) => each()).sort();
    expect(read(before)).toEqual(['avax_up{node="b"} 1\n', 'avax_up{node="é"} 0\n']);
    expect(read(exposition.lines("avax_up"))).toEqual(['avax_up{node="é"} 1\n']);
    expect([exposition.lines("avax_delay_seconds"), exposition.lines("unknown")]).toEqual([[], []]);
  });

  test("is empty, in both formats, compressed or not", async () => {
    const exposition = createExposition(FAMILIES);
    expect(await text(exposition)).toBe("");
    expect(await unzipped(exposition)).toBe("");
    expect(await text(exposition, { format: "openmetrics" })).toBe("# EOF\n");
    expect(await unzipped(exposition, { format: "openmetrics" })).toBe("# EOF\n");
  });

  test("has the same lines in both formats, with different headers", async () => {
    const exposition = createExposition(FAMILIES);
    exposition.set("avax_blocks_total", "a", "avax_blocks_total 5\n", 1);
    exposition.set("avax_node_info", "a", 'avax_node_info{version="1"} 1\n', 1);
    const openmetrics =
      "# HELP avax_blocks Blocks.\n# TYPE avax_blocks counter\navax_blocks_total 5\n" +
      '# HELP avax_node_info What the node \\"is\\".\n# TYPE avax_node_info gauge\navax_node_info{version="1"} 1\n# EOF\n';
    expect(await text(exposition)).toBe(
      "# HELP avax_blocks_total Blocks.\n# TYPE avax_blocks_total counter\navax_blocks_total 5\n" +
        '# HELP avax_node_info What the node "is".\n# TYPE avax_node_info gauge\navax_node_info{version="1"} 1\n',
    );
    expect(await text(exposition, { format: "openmetrics" })).toBe(openmetrics);
    expect(openMetricsProblems(openmetrics)).toEqual([]);
  });

  test("removes lines that become empty, and all lines of a target", async () => {
    const exposition = createExposition(FAMILIES);
    for (const node of ["a", "b"]) {
      exposition.set("avax_up", node, `avax_up{node="${node}"} 1\n`, 1);
      exposition.set("avax_delay_seconds", node, `avax_delay_seconds{node="${node}"} 1\n`, 1);
    }
    exposition.set("avax_delay_seconds", "b", "", 0);
    exposition.set("avax_delay_seconds", "never there", "", 0);
    exposition.remove("a");
    expect(await text(exposition)).toBe(
      '# HELP avax_up Whether it is up.\n# TYPE avax_up gauge\navax_up{node="b"} 1\n',
    );
    expect(exposition.series()).toBe(1);
    exposition.remove("b");
    expect([exposition.series(), exposition.bytes(), await text(exposition)]).toEqual([0, 0, ""]);
  });

  test("rejects an unknown family and lines without a final line break", () => {
    const exposition = createExposition(FAMILIES);
    expect(() => exposition.set("avax_down", "a", "avax_down 1\n", 1)).toThrow(RangeError);
    expect(() => exposition.set("avax_up", "a", "avax_up 1", 1)).toThrow(TypeError);
  });

  test.each([
    ["the same name", "avax_up", "gauge"],
    ["the OpenMetrics name of a counter", "avax_blocks", "gauge"],
  ] as const)("rejects two families with %s", (_, name, type) => {
    expect(() => createExposition([...FAMILIES, { name, help: "", type }])).toThrow(/both claim the name/);
  });

  test("rejects a gauge with the name of a histogram's part", () => {
    const histogram: Family = { name: "avax_h", help: "", type: "histogram" };
    expect(() => createExposition([histogram, { name: "avax_h_count", help: "", type: "gauge" }])).toThrow(
      /avax_h_count/,
    );
  });

  test("appends the caller's families before the EOF mark, and omits empty ones", async () => {
    const exposition = createExposition(FAMILIES);
    exposition.set("avax_up", "a", "avax_up 1\n", 1);
    const extra = [
      { family: { name: "own_total", help: "Own.", type: "counter" }, text: "own_total 3\n" },
      { family: { name: "silent", help: "", type: "gauge" }, text: "" },
    ] as const;
    for (const get of [text, unzipped]) {
      expect(await get(exposition, { format: "openmetrics", extra })).toBe(
        "# HELP avax_up Whether it is up.\n# TYPE avax_up gauge\navax_up 1\n# HELP own Own.\n# TYPE own counter\nown_total 3\n# EOF\n",
      );
    }
  });

  test("shares the uncompressed bytes of what did not change between replies that are still being read", async () => {
    // Many small families, so that a piece has many parts, which a reply has in one buffer.
    const many = Array.from({ length: 300 }, (_, i): Family => ({ name: `avax_${i}`, help: "H.", type: "gauge" }));
    const exposition = createExposition(many);
    const fill = (i: number, value: number): void =>
      exposition.set(`avax_${i}`, "a", lines(`avax_${i}`, "a", 20, value), 20);
    for (const i of many.keys()) fill(i, 1);
    const plain = async (format: Format) => (await exposition.scrape({ format, gzip: false })).chunks;
    const first = await plain("text");
    expect(first.length).toBeGreaterThan(1);
    const same = await plain("text");
    expect(same.map((chunk, i) => chunk === first[i])).toEqual(first.map(() => true));
    const other = await plain("openmetrics");
    expect(first.every((chunk) => other.includes(chunk))).toBe(true);
    fill(299, 2);
    const changed = await plain("text");
    expect(changed.map((chunk, i) => chunk === first[i])).toEqual(first.map((_, i) => i < first.length - 1));
    expect(Buffer.concat(changed).toString()).toContain('avax_299{node="a",i="19"} 2\n');
    expect(Buffer.concat(first).toString()).toContain('avax_299{node="a",i="19"} 1\n');
  });

  test("exports only the wanted families, each with its header", async () => {
    const exposition = large();
    const extra = [{ family: { name: "own", help: "", type: "gauge" }, text: "own 3\n" }] as const;
    const family = FAMILIES[1] as Family;
    const targets = Array.from({ length: 200 }, (_, i) => `node-${i}`).sort();
    const expected = renderHeader(family, "text") + targets.map((each) => lines(family.name, each, 20)).join("");
    for (const get of [text, unzipped]) {
      expect(await get(exposition, { only: new Set([family.name]), extra })).toBe(expected);
      expect(await get(exposition, { only: new Set(["own"]), extra })).toBe("# TYPE own gauge\nown 3\n");
      expect(await get(exposition, { only: new Set(["nobody"]), extra, format: "openmetrics" })).toBe("# EOF\n");
    }
  });
});

type Operation =
  | {
      readonly kind: "set";
      readonly family: number;
      readonly target: string;
      readonly count: number;
      readonly value: number;
    }
  | { readonly kind: "remove"; readonly target: string }
  | { readonly kind: "scrape"; readonly format: Format };

const target = fc.constantFrom("a", "b", "c", "ä", "Z", "\u{1f53a}", "\uffee", "node-1", "node-10");
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("set" as const),
      family: fc.nat(3),
      target,
      count: fc.oneof(fc.nat(3), fc.nat(1500)),
      value: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), target }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("scrape" as const),
      format: fc.constantFrom<Format>("text", "openmetrics"),
    }),
  },
);

function expected(model: ReadonlyMap<string, string>, format: Format): string {
  const parts = FAMILIES.map((family) => {
    const own = [...model].filter(([key]) => key.startsWith(`${family.name} `)).sort(([a], [b]) => (a < b ? -1 : 1));
    return own.length === 0 ? "" : renderHeader(family, format) + own.map(([, each]) => each).join("");
  });
  return parts.join("") + (format === "openmetrics" ? "# EOF\n" : "");
}

test("compressed and plain scrapes contain the last values after any operations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
      const exposition = createExposition(FAMILIES);
      const model = new Map<string, string>();
      for (const each of [...operations, { kind: "scrape", format: "text" } as const]) {
        if (each.kind === "set") {
          const { name } = FAMILIES[each.family] as Family;
          const block = lines(name, each.target, each.count, each.value);
          exposition.set(name, each.target, block, each.count);
          if (block === "") model.delete(`${name} ${each.target}`);
          else model.set(`${name} ${each.target}`, block);
        } else if (each.kind === "remove") {
          exposition.remove(each.target);
          for (const { name } of FAMILIES) model.delete(`${name} ${each.target}`);
        } else {
          const { format } = each;
          const whole = expected(model, format);
          expect((await text(exposition, { format })) === whole).toBe(true);
          expect((await unzipped(exposition, { format })) === whole).toBe(true);
          if (format === "openmetrics") expect(openMetricsProblems(whole)).toEqual([]);
        }
      }
      const held = [...model.values()].join("");
      expect(exposition.bytes()).toBe(Buffer.byteLength(held));
      expect(exposition.series()).toBe(held.split("\n").length - 1);
    }),
    { numRuns: 60 },
  );
});
