import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";
import { parseYaml } from "../../../src/config/read/read-yaml-file.ts";
import { placeOf, treeOf } from "../../../src/config/base/config-finding.ts";
import { loadWebConfig } from "../../../src/config/web/load-web-config.ts";

function read(text: string) {
  const file = parseYaml("f", text, { A: "one" });
  const tree = treeOf(file);
  return { ...file, place: (...path: Array<string | number>) => placeOf(tree, path) };
}

test("values are plain, with variables expanded", () => {
  const { value, refused } = read("a: [1, 2.5, true, null, ~, text, '${A}']\nb: {c: \"x\\ty\", d: yes}\n");
  expect(value).toEqual({ a: [1, 2.5, true, null, null, "text", "one"], b: { c: "x\ty", d: "yes" } });
  expect(refused).toEqual([]);
});

test("positions are 1-based and point at values; an empty value has the position of its key", () => {
  const { place } = read("# c\na:\n  - x: 1\n    y:\n  - [p, q]\n");
  expect(place("a")).toEqual({ file: "f", line: 3, column: 3 });
  expect(place("a", 0, "x")).toEqual({ file: "f", line: 3, column: 8 });
  expect(place("a", 0, "y")).toEqual({ file: "f", line: 4, column: 5 });
  expect(place("a", 1, 1)).toEqual({ file: "f", line: 5, column: 9 });
  expect(place("a", 0, "nowhere", "at all")).toEqual({ file: "f", line: 3, column: 5 });
});

test("CRLF line endings and a byte order mark do not change positions", () => {
  const { value, place } = read("\ufeffa: 1\r\nb: 2\r\n");
  expect(value).toEqual({ a: 1, b: 2 });
  expect(place("b")).toEqual({ file: "f", line: 2, column: 4 });
});

test("an alias repeats a value, and a merge adds missing keys", () => {
  const { value, place } = read("a: &x { p: 1, q: 2 }\nb: *x\nc: { <<: *x, q: 3 }\nd: { <<: [*x, { r: 4 }] }\n");
  expect(value).toEqual({ a: { p: 1, q: 2 }, b: { p: 1, q: 2 }, c: { q: 3, p: 1 }, d: { p: 1, q: 2, r: 4 } });
  for (const name of ["b", "c", "d"]) expect(place(name, "p")).toEqual({ file: "f", line: 1, column: 12 });
  expect(place("d", "r")).toEqual({ file: "f", line: 4, column: 20 });
});

const EXAMPLE = readFileSync(join(import.meta.dirname, "../../../config.example.yaml"), "utf8");

/** The example with a part replaced by other text. */
const damaged = fc
  .tuple(
    fc.nat(EXAMPLE.length),
    fc.nat(20),
    fc.string({ unit: fc.constantFrom(..."{}[]:,&*!|>-'\"\n\t <$#ax1"), maxLength: 8 }),
  )
  .map(([start, length, piece]) => EXAMPLE.slice(0, start) + piece + EXAMPLE.slice(start + length));

test("loading never throws, and every problem has a position in the file", () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string({ maxLength: 60 })), (text) => {
      const sources = { ...nodeSources({}), readFile: () => text, glob: () => [] };
      for (const load of [
        () => loadConfig("c.yaml", ["info.peers"], sources),
        () => loadWebConfig("c.yaml", sources),
      ]) {
        const result = load();
        const problems = result.ok ? [] : result.problems;
        if (!result.ok) expect(problems.length).toBeGreaterThan(0);
        refused += problems.length;
        for (const { file, line, column, message } of problems) {
          expect(file).not.toBe("");
          expect(line).toBeLessThanOrEqual(text.split("\n").length);
          expect(Math.min(line, column)).toBeGreaterThan(0);
          expect(message).not.toMatch(/undefined|\[object/);
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(300);
});
