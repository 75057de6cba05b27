import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  count,
  float,
  list,
  map,
  mapped,
  navax,
  percent,
  ratio,
  secondsOfNanos,
  tally,
  rows,
  toAvax,
  uint64,
  unixTime,
} from "../../src/api/wire.ts";
import { read, REFUSED } from "../support/read-json.ts";

/** No schema of a number reads these. */
const NO_NUMBER = ['""', '" 1"', '"1 "', '"NaN"', '"0x10"', '"1,5"', "1e400", "null", "true", "[]", "{}"];

describe.each<[string, z.ZodType<unknown>, ReadonlyArray<[json: string, value: unknown]>, readonly string[]]>([
  [
    "uint64",
    uint64,
    [
      ['"0"', 0n],
      ["0", 0n],
      ['"42"', 42n],
      ["9007199254740993", 9007199254740992n], // JSON.parse rounds a number beyond 2^53
      ['"161147778098286584"', 161147778098286584n],
      ['"18446744073709551615"', 18446744073709551615n],
      ["18446744073709551615", 18446744073709551615n],
      ['"18446744073709551616"', 18446744073709551615n],
    ],
    [
      '"-1"',
      "-1",
      "1.5",
      '"1.5"',
      '"1e3"',
      "1e20",
      ...["18446744073709551617", "99999999999999999999", "100000000000000000000"].map((digits) => `"${digits}"`),
    ],
  ],
  [
    "count",
    count,
    [
      ['"1284"', 1284],
      ["1284", 1284],
      ['"18446744073709551615"', 2 ** 64],
    ],
    ['"-3"', "-3", "0.5"],
  ],
  [
    "unixTime",
    unixTime,
    [
      ['"1755802182"', 1755802182],
      ["7258118399", 7258118399],
      ["1420070400", 1420070400],
      ...["0", '"0"', "1", "123", "1420070399"].map((never): [string, undefined] => [never, undefined]),
    ],
    ["7258118400", "9007199254740991", '"18446744073709551615"'],
  ],
  [
    "navax",
    navax,
    [
      ['"0"', 0],
      ['"1"', 1e-9],
      ['"1000000000"', 1],
      ['"161147778098286584"', 161147778.098286584],
      ['"10000000000000000000"', 1e10],
      ["2000000000000", 2000],
    ],
    ['"10000000000000000001"', '"18446744073709551615"'],
  ],
  ["tally", tally, [['"1000000000"', 1e9]], ["1000000001", '"18446744073709551615"']],
  [
    "float",
    float,
    [
      ['"99.9876"', 99.9876],
      ["0.9971284736612", 0.9971284736612],
      ["-0.5", -0.5],
      ['"-0.5"', -0.5],
      ['"1e-7"', 1e-7],
      ['"6.8214533e+07"', 68214533],
    ],
    ['"."', '"1."', '"+Inf"', '"Infinity"', '"1e400"'],
  ],
  [
    "percent",
    percent,
    [
      ['"99.9876"', 0.999876],
      ['"100.0000"', 1],
      ['"0.0000"', 0],
      ['"99"', 0.99],
      ["23", 0.23],
      ["97.31842", 0.9731842],
    ],
    ["-1", "100.01", "255", '"18446744073709551615"'],
  ],
  [
    "ratio",
    ratio,
    [
      ["0.25", 0.25],
      ['"0.9971284736612"', 0.9971284736612],
      ["1.0000000001", 1],
      ["-0.0000000001", 0],
      ["0", 0],
      ["1", 1],
    ],
    ["-1", "-0.5", "1.001", "50", "9007199254740991", "-1e306", '"-1"'],
  ],
])("%s", (_, schema, reads, refuses) => {
  it.each(reads)("reads %s as %s", (json, value) => {
    expect(read(schema, json)).toBe(value);
  });
  it.each([...NO_NUMBER, ...refuses])("refuses %s", (json) => {
    expect(read(schema, json)).toBe(REFUSED);
  });
});

describe("any number", () => {
  it("of uint64 is read as a string exactly", () => {
    fc.assert(fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (value) => read(uint64, `"${value}"`) === value));
  });

  it("that is a safe integer is read as a number exactly", () => {
    fc.assert(fc.property(fc.maxSafeNat(), (value) => read(uint64, `${value}`) === BigInt(value)));
  });

  it("beyond 2^53 is read as the nearest double, at most the maximum uint64", () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 53n, 2n ** 64n - 1n), (value) => {
        const got = read(uint64, `${value}`);
        const near = BigInt(Number(value));
        return got === (near > 2n ** 64n - 1n ? 2n ** 64n - 1n : near);
      }),
    );
  });

  it("of nAVAX is at most one step from the nearest double, for any amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (amount) => {
        const digits = amount.toString().padStart(10, "0");
        const nearest = Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`);
        expect(Math.abs(toAvax(amount) - nearest)).toBeLessThanOrEqual(nearest * Number.EPSILON);
      }),
    );
  });
  it("with four decimals is read as a float", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        expect(read(float, JSON.stringify(value.toFixed(4)))).toBe(Number(value.toFixed(4)));
      }),
    );
  });
  it("has the same digits as its percent with four decimals", () => {
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

describe("lists and maps", () => {
  it("null is empty, and absence is not", () => {
    const shape = z.object({ items: list(z.string()), byName: map(count) });
    expect(read(shape, '{"items":null,"byName":null}')).toEqual({ items: [], byName: {} });
    for (const json of ["{}", '{"items":[]}', '{"byName":{}}']) expect(read(shape, json)).toBe(REFUSED);
    expect(read(shape, '{"items":["a"],"byName":{"b":"2"},"unknown":[1]}')).toEqual({ items: ["a"], byName: { b: 2 } });
    expect(read(shape, '{"items":[1],"byName":{}}')).toBe(REFUSED);
    expect(read(shape, '{"items":"a","byName":{}}')).toBe(REFUSED);
  });
  it.each<[string, unknown]>([
    ['[{"a":"1"}]', { rows: [{ a: 1 }], invalidRows: undefined }],
    ['[{"a":"1"},{"a":{},"b":{"c":"2"}}]', { rows: [{ a: 1 }, { b: { c: 2 } }], invalidRows: { count: 1 } }],
    ['[{"a":[],"b":{"c":[]}}]', { rows: [{ b: {} }], invalidRows: { count: 1 } }],
    ['[{"a":[]}]', REFUSED],
    ['[{"b":{"d":"x"}}]', REFUSED],
    ["[1]", REFUSED],
    ["{}", REFUSED],
  ])("rows %s lose a wrong field at most", (json, expected) => {
    const b = z.object({ c: count.optional(), d: z.number().optional() }).optional();
    const row = z.object({ a: count.optional(), b }).refine((found) => found.a ?? found.b, "nothing left");
    const found = read(rows(row, ["a", "b.c"]), json);
    if (expected === REFUSED) expect(found).toBe(REFUSED);
    else expect(found).toMatchObject(expected as object);
  });
});

it.each([
  ["0", 0],
  ["20375", 0.000020375],
  ['"20375"', 0.000020375],
])("reads %s nanoseconds as %s s", (json, seconds) => {
  expect(secondsOfNanos(JSON.parse(json))).toBe(seconds);
});

it.each([...NO_NUMBER, "-1", "1e20", "1e306"])("%s is no duration", (json) => {
  expect(secondsOfNanos(JSON.parse(json))).toBeUndefined();
});

it("a value that a refinement refused is not mapped", () => {
  const map = vi.fn<(value: string) => bigint>(BigInt);
  const schema = mapped(z.string().regex(/^0x1+$/, "not a quantity"), map);
  expect(schema.parse("0x11")).toBe(17n);
  expect(schema.safeParse("-0x1").error?.issues.map(({ message }) => message)).toEqual(["not a quantity"]);
  expect(map).toHaveBeenCalledOnce();
});

it("a mapped value is refused for what is wrong in it, as a field that may be absent too", () => {
  const total = mapped(z.array(z.number()), (values, refuse) => {
    for (const [at, value] of values.entries()) if (value < 0) refuse("below 0", [at]);
    return values.reduce((sum, value) => sum + value, 0);
  });
  const schema = z.object({ total, more: total.optional() });
  expect(schema.parse({ total: [1, 2] })).toEqual({ total: 3 });
  const issues = schema.safeParse({ total: [1, -2], more: [-1] }).error?.issues;
  expect(issues?.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([
    "total.1: below 0",
    "more.0: below 0",
  ]);
  expect(schema.safeParse({ total: "1" }).error?.issues[0]?.message).toContain("expected array");
});
