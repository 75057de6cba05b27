import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPiecewiseParser } from "../../../src/api/transport/parse-in-pieces.ts";

/** The value of a text, or that it is invalid. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return "invalid";
  }
}

function inPieces(text: string, size: number, group: number): unknown {
  const parser = createPiecewiseParser(group);
  for (let from = 0; from < text.length; from += size) parser.push(text.slice(from, from + size));
  return parser.end();
}

const sizes = { size: fc.integer({ min: 1, max: 40 }), group: fc.integer({ min: 1, max: 60 }) };

/**
 * Critical names: numbers, which objects put first, names of the language, delimiters of JSON. None has a quotation mark or a
 * backslash: V8 itself was observed to read the name `"\""` as `\` after many parses, in pieces and whole.
 */
const name = fc
  .oneof(fc.constantFrom("1", "0", "a", "b", "__proto__", "length", "]", "ü"), fc.string())
  .map((each) => each.replaceAll(/["\\]/g, ""));

/** JSON as text, so that spaces can be anywhere. */
const { text: anyText } = fc.letrec<{ text: string; list: string; object: string; leaf: string; space: string }>(
  (tie) => ({
    space: fc.constantFrom("", "", "", " ", "\n\t"),
    leaf: fc.oneof(
      fc.constantFrom("1", "-2.5e3", "true", "null", '""', "[]", "{}", '"\\\\"', '"\\u005d,["'),
      fc.string().map((each) => JSON.stringify(each)),
    ),
    list: fc
      .tuple(fc.array(tie("text"), { maxLength: 12 }), tie("space"))
      .map(([items, space]) => `[${space}${items.join(`${space},`)}${space}]`),
    object: fc
      .tuple(fc.uniqueArray(fc.tuple(name, tie("text")), { maxLength: 6, selector: ([key]) => key }), tie("space"))
      .map(
        ([fields, space]) =>
          `{${space}${fields.map(([key, value]) => `${JSON.stringify(key)}:${space}${value}`).join(",")}}`,
      ),
    text: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("list"), tie("object")),
  }),
);

describe("JSON in pieces", () => {
  it("has the value of JSON.parse on the whole text", () => {
    fc.assert(
      fc.property(anyText, sizes.size, sizes.group, (text, size, group) => {
        expect(outcomeOf(() => inPieces(text, size, group))).toStrictEqual(
          outcomeOf(() => JSON.parse(text) as unknown),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("is invalid if the whole text is", () => {
    const spoilt = fc.tuple(
      anyText,
      fc.nat(),
      fc.constantFrom("", ",", "]", "[", "{", "}", '"', ":", "1", "\\", " "),
      fc.nat({ max: 2 }),
    );
    fc.assert(
      fc.property(spoilt, sizes.size, sizes.group, ([text, at, put, out], size, group) => {
        const from = at % (text.length + 1);
        const changed = text.slice(0, from) + put + text.slice(from + out);
        expect(outcomeOf(() => typeof inPieces(changed, size, group))).toEqual(
          outcomeOf(() => typeof JSON.parse(changed)),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it("can have long lists in long lists", () => {
    const value = {
      result: {
        validators: Array.from({ length: 300 }, (_, i) => ({
          i,
          delegators: Array.from({ length: i }, (_, j) => [j, `]${j}`]),
        })),
      },
      id: 1,
    };
    expect(inPieces(JSON.stringify(value), 1000, 300)).toEqual(value);
  });

  it("buffers at most a piece and a group of a long list", () => {
    const parser = createPiecewiseParser();
    let longest = 0;
    const parse = JSON.parse;
    JSON.parse = (text: string) => {
      longest = Math.max(longest, text.length);
      return parse(text) as unknown;
    };
    try {
      for (let piece = 0; piece < 100; piece++) {
        parser.push(`${piece === 0 ? "[" : ","}${Array.from({ length: 1000 }, (_, i) => `{"i":${i}}`).join(",")}`);
      }
      parser.push("]");
      expect(parser.end()).toHaveLength(100_000);
    } finally {
      JSON.parse = parse;
    }
    expect(longest).toBeLessThan(30_000);
  });

  it("is refused above the maximum nesting", () => {
    expect(() => inPieces("[".repeat(2000), 64, 60)).toThrow("more than 1000 nested lists and objects");
  });
});
