import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  claimedRatio,
  count,
  float,
  list,
  map,
  nanoseconds,
  navax,
  percent,
  ratio,
  toAvax,
  uint64,
  unixTime,
} from "../../src/api/wire.ts";

const REFUSED = Symbol("refused");

/** The parsed value of a JSON text, or REFUSED. A text, because `JSON.parse` rounds numbers. */
function read<T>(schema: z.ZodType<T>, json: string): T | typeof REFUSED {
  const parsed = schema.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : REFUSED;
}

describe("uint64", () => {
  it.each<[string, bigint]>([
    ['"0"', 0n],
    ["0", 0n],
    ['"42"', 42n],
    ["42", 42n],
    ['"007"', 7n],
    ["9007199254740993", 9007199254740992n], // JSON.parse rounds a number beyond 2^53
    ['"9007199254740993"', 9007199254740993n],
    ['"161147778098286584"', 161147778098286584n],
    ['"18446744073709551615"', 18446744073709551615n],
    ["18446744073709551615", 18446744073709551615n],
    ['"18446744073709551616"', 18446744073709551615n],
  ])("reads %s", (json, expected) => {
    expect(read(uint64, json)).toBe(expected);
  });

  it.each([
    '""',
    '" 1"',
    '"1 "',
    '"-1"',
    "-1",
    "1.5",
    '"1.5"',
    '"1e3"',
    '"0x10"',
    '"18446744073709551617"',
    '"99999999999999999999"',
    '"100000000000000000000"',
    "1e20",
    "1e400",
    "null",
    "true",
    "[]",
    "{}",
    '"NaN"',
  ])("refuses %s", (json) => {
    expect(read(uint64, json)).toBe(REFUSED);
  });

  it("reads every uint64 as a string exactly", () => {
    fc.assert(fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (value) => read(uint64, `"${value}"`) === value));
  });

  it("reads every safe integer as a number exactly", () => {
    fc.assert(fc.property(fc.maxSafeNat(), (value) => read(uint64, `${value}`) === BigInt(value)));
  });

  it("reads a number beyond 2^53 as the nearest double, at most the maximum uint64", () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 53n, 2n ** 64n - 1n), (value) => {
        const got = read(uint64, `${value}`);
        const near = BigInt(Number(value));
        return got === (near > 2n ** 64n - 1n ? 2n ** 64n - 1n : near);
      }),
    );
  });
});

describe("count and unixTime", () => {
  it("read strings and numbers", () => {
    expect(read(count, '"1284"')).toBe(1284);
    expect(read(count, "1284")).toBe(1284);
    expect(read(unixTime, '"1755802182"')).toBe(1755802182);
    expect(read(count, '"18446744073709551615"')).toBe(2 ** 64);
  });
  it("a time after 2200 is no time", () => {
    expect(read(unixTime, "7258118399")).toBe(7258118399);
    expect(read(unixTime, "1420070400")).toBe(1420070400);
    for (const never of ["0", '"0"', "1", "123", "1420070399"]) expect(read(unixTime, never), never).toBeUndefined();
    for (const json of ["7258118400", "9007199254740991", '"18446744073709551615"'])
      expect(read(unixTime, json), json).toBe(REFUSED);
  });
  it("refuse other values", () => {
    for (const json of ['"-3"', "-3", "0.5", '""', "null"]) expect(read(count, json), json).toBe(REFUSED);
  });
});

describe("navax", () => {
  it.each<[string, number]>([
    ['"0"', 0],
    ['"1"', 1e-9],
    ['"1000000000"', 1],
    ['"1500000000"', 1.5],
    ['"8780477952"', 8.780477952],
    ['"2000000000000000"', 2_000_000],
    ['"161147778098286584"', 161147778.098286584],
    ['"459817167637779183"', 459817167.637779183],
    ['"18446744073709551615"', 18446744073.709551615],
    ["2000000000000", 2000],
  ])("reads %s nAVAX as AVAX", (json, expected) => {
    expect(read(navax, json)).toBe(expected);
  });

  it("is at most one step from the nearest double, for any amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (amount) => {
        const digits = amount.toString().padStart(10, "0");
        const nearest = Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`);
        expect(Math.abs(toAvax(amount) - nearest)).toBeLessThanOrEqual(nearest * Number.EPSILON);
      }),
    );
  });
});

describe("float", () => {
  it.each<[string, number]>([
    ['"99.9876"', 99.9876],
    ['"0.0000"', 0],
    ['"100.0000"', 100],
    ["0.9971284736612", 0.9971284736612],
    ["-0.5", -0.5],
    ['"-0.5"', -0.5],
    ['"1e-7"', 1e-7],
    ['"6.8214533e+07"', 68214533],
  ])("reads %s", (json, expected) => {
    expect(read(float, json)).toBe(expected);
  });
  it.each(['""', '"."', '"1."', '"NaN"', '"+Inf"', '"Infinity"', "1e400", '"1e400"', '"1,5"', '" 1"', "null", "true"])(
    "refuses %s",
    (json) => {
      expect(read(float, json)).toBe(REFUSED);
    },
  );
  it("reads any number with four decimals", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        expect(read(float, JSON.stringify(value.toFixed(4)))).toBe(Number(value.toFixed(4)));
      }),
    );
  });
});

describe("percent", () => {
  it.each<[string, number]>([
    ['"99.9876"', 0.999876],
    ['"100.0000"', 1],
    ['"0.0000"', 0],
    ['"79.9854"', 0.799854],
    ['"67.7852"', 0.677852],
    ['"0.0612"', 0.000612],
    ['"99"', 0.99],
    ["23", 0.23],
    ["97.31842", 0.9731842],
    ['"2.0000"', 0.02],
  ])("reads %s as an exact ratio", (json, expected) => {
    expect(read(percent, json)).toBe(expected);
  });
  it("has the same digits as any percent with four decimals", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (units) => {
        const written = `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, "0")}`;
        expect(read(percent, `"${written}"`)).toBe(
          units === 1_000_000 ? 1 : Number(`0.${String(units).padStart(6, "0")}`),
        );
      }),
    );
  });
});

describe("shares", () => {
  it.each<[string, number]>([
    ["0.25", 0.25],
    ['"0.9971284736612"', 0.9971284736612],
    ["1.0000000001", 1],
    ["-0.0000000001", 0],
    ["0", 0],
    ["1", 1],
  ])("%s is %s", (json, expected) => {
    expect(read(ratio, json)).toBe(expected);
  });

  it.each(["-1", "-0.5", "1.001", "50", "9007199254740991", "-1e306", '"-1"'])("refuse %s", (json) => {
    expect(read(ratio, json)).toBe(REFUSED);
  });

  it("of a peer are unknown outside their range", () => {
    expect([-1, 0, 99.5, 100, 101].map(claimedRatio)).toEqual([undefined, 0, 0.995, 1, undefined]);
  });

  it.each(["-1", "100.01", "255", '"18446744073709551615"'])("percents refuse %s", (json) => {
    expect(read(percent, json)).toBe(REFUSED);
  });
});

describe("nanoseconds, lists and maps", () => {
  it("durations are 0 to a century", () => {
    expect(read(nanoseconds, "0")).toBe(0);
    for (const json of ["-1", "1e20", "1e306"]) expect(read(nanoseconds, json), json).toBe(REFUSED);
  });
  it("nanoseconds become seconds", () => {
    expect(read(nanoseconds, "20375")).toBe(0.000020375);
    expect(read(nanoseconds, '"20375"')).toBe(REFUSED);
  });
  it("null and absence are empty", () => {
    const shape = z.object({ items: list(z.string()), byName: map(count) });
    expect(read(shape, '{"items":null,"byName":null}')).toEqual({ items: [], byName: {} });
    expect(read(shape, "{}")).toEqual({ items: [], byName: {} });
    expect(read(shape, '{"items":["a"],"byName":{"b":"2"},"unknown":[1]}')).toEqual({ items: ["a"], byName: { b: 2 } });
    expect(read(shape, '{"items":[1],"byName":{}}')).toBe(REFUSED);
    expect(read(shape, '{"items":"a","byName":{}}')).toBe(REFUSED);
  });
  it("a list or map as a map's value", () => {
    const shape = map(list(z.string()));
    expect(read(shape, '{"a":null,"b":["x"]}')).toEqual({ a: [], b: ["x"] });
  });
});
