import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../../src/api/transport/parse-exact-json.ts";

describe("parseExactJson", () => {
  it.each(["18446744073709551615", "-0", "1.50", "1e400", "0.1", '[1,{"a":9007199254740993}]'])(
    "prints %s unchanged",
    (text) => {
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    },
  );

  it("does not change other values", () => {
    expect(parseExactJson('{"a":[1,"x",null,true,2.5]}')).toEqual({ a: [1, "x", null, true, 2.5] });
  });

  it("prints any unsigned 64-bit integer unchanged", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        expect(JSON.stringify(parseExactJson(`{"v":${value}}`))).toBe(`{"v":${value}}`);
      }),
    );
  });
});
