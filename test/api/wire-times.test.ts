import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goDuration as writtenByGo } from "../../simulator/encoding/gotime.ts";
import { goDuration, httpDate, parseGoDuration, parseTimestamp, plannedTime, timestamp } from "../../src/api/wire.ts";
import { read, REFUSED } from "../support/read-json.ts";

describe("Go durations", () => {
  it.each<[string, number]>([
    ["66.90725ms", 0.06690725],
    ["312.5µs", 0.0003125],
    ["312.5μs", 0.0003125],
    ["54m47.702163721s", 3287.702163721],
    ["0", 0],
    ["17ns", 1.7e-8],
    ["-1.5h", -5400],
    ["+5s", 5],
    [".5s", 0.5],
    ["1.s", 1],
  ])("reads %s", (text, expected) => {
    expect(read(goDuration, JSON.stringify(text))).toBe(expected);
  });

  it.each(["", "-", "5", "5x", "s", "1m 3s", "1m3", "m", "--1s", "1d", "1.5.5s", "NaN", "1e3s", `${"9".repeat(309)}h`])(
    "refuses %s",
    (text) => {
      expect(parseGoDuration(text)).toBeUndefined();
      expect(read(goDuration, JSON.stringify(text))).toBe(REFUSED);
    },
  );

  it("reads the text of Go for any number of nanoseconds", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (total) => {
        const seconds = total / 1e9;
        const read = parseGoDuration(writtenByGo(total)) ?? NaN;
        expect(Math.abs(read - seconds)).toBeLessThanOrEqual(Math.max(seconds * 1e-14, 1e-15));
      }),
    );
  });
});

describe("RFC 3339", () => {
  it.each<[string, number | undefined]>([
    ["2026-08-22T15:22:45Z", 1787412165],
    ["2026-08-22T15:22:45.293112Z", 1787412165.293112],
    ["2026-08-22T20:52:45+05:30", 1787412165],
    ["2026-08-22T15:22:45.293112999Z", 1787412165.293112],
    ["2026-08-22t15:22:45z", 1787412165],
    ["2015-01-01T00:00:00Z", 1420070400],
    ["2024-02-29T00:00:00Z", 1709164800],
    ["0001-01-01T00:00:00Z", undefined],
    ["1970-01-01T00:00:00Z", undefined],
    ["1970-01-01T02:00:00+02:00", undefined],
    ["2014-12-31T23:59:59Z", undefined],
  ])("reads %s", (text, expected) => {
    expect(read(timestamp, JSON.stringify(text))).toBe(expected);
  });

  it("refuses a time after 2200, unless it is planned", () => {
    expect(read(timestamp, '"2199-12-31T23:59:59Z"')).toBe(7258118399);
    expect(read(timestamp, '"2200-01-01T00:00:00Z"')).toBe(REFUSED);
    expect(read(timestamp, '"9999-12-01T00:00:00Z"')).toBe(REFUSED);
    expect(read(plannedTime, '"9999-12-01T00:00:00Z"')).toBe(253399622400);
    expect(read(plannedTime, '"0001-01-01T00:00:00Z"')).toBeUndefined();
  });

  it.each([
    "",
    "2026-08-22",
    "2026-08-22T15:22:45",
    "2026-08-22 15:22:45Z",
    "2026-13-01T00:00:00Z",
    "2026-08-22T25:00:00Z",
    "2026-08-22T15:22:45.Z",
    "2026-08-22T15:22:45.0123456789Z",
    "2026-08-22T15:22:45+0400",
    "Sat Aug 22 2026",
    "1787412165",
  ])("refuses %s", (text) => {
    expect(read(timestamp, JSON.stringify(text))).toBe(REFUSED);
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it("reads any time in any offset with any number of decimals, to the microsecond", () => {
    const moment = fc.record({
      seconds: fc.integer({ min: 1, max: 4_000_000_000 }),
      nanos: fc.nat(999_999_999),
      digits: fc.nat(9),
      offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    });
    fc.assert(
      fc.property(moment, ({ seconds, nanos, digits, offset }) => {
        const local = new Date((seconds + offset * 60) * 1000).toISOString().slice(0, 19);
        const fraction = String(nanos).padStart(9, "0").slice(0, digits);
        const zone = `${offset < 0 ? "-" : "+"}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0")}:${String(Math.abs(offset) % 60).padStart(2, "0")}`;
        const micros = Number(fraction.padEnd(6, "0").slice(0, 6));
        expect(parseTimestamp(`${local}${digits === 0 ? "" : `.${fraction}`}${zone}`)).toBe(
          (seconds * 1e6 + micros) / 1e6,
        );
      }),
    );
  });
});

it.each(["5", "1787412165", "null"])("%s is neither a duration nor a time", (json) => {
  expect([read(goDuration, json), read(timestamp, json)]).toEqual([REFUSED, REFUSED]);
});

describe("whole seconds in UTC, the form of nodes", () => {
  it.each([
    ["2026-08-22T15:23:02Z", 1_787_412_182],
    ["2026-08-22T23:59:59Z", 1_787_443_199],
    ["2024-02-29T12:00:00Z", 1_709_208_000],
    ["0001-01-01T00:00:00Z", -62_135_596_800],
    ["2026-08-22T15:23:60Z", undefined],
    ["2026-08-22T15:60:02Z", undefined],
    ["2026-08-22T15:23:0xZ", undefined],
    ["2026-08-22T15:2 :02Z", undefined],
    ["2026-08-22t15.23.02Z", undefined],
    ["20260-8-22T15:23:02Z", undefined],
    ["2026-99-99T15:23:02Z", undefined],
    ["é026-08-22T15:23:02Z", undefined],
  ])("%j is %j, on the day of the last time and on another one", (text, expected) => {
    expect([parseTimestamp(text), parseTimestamp(text)]).toEqual([expected, expected]);
    parseTimestamp("2025-01-01T00:00:00Z");
    expect(parseTimestamp(text)).toBe(expected);
  });

  it("are those of the parser of the language", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -62_135_596_800, max: 7_258_118_400 }), { minLength: 2 }), (times) => {
        for (const seconds of times)
          expect(parseTimestamp(`${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`)).toBe(seconds);
      }),
    );
  });
});

describe("the header Date", () => {
  it.each([
    ["Sat, 21 Nov 2026 11:06:48 GMT", 1_795_259_208],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Sat, 21 Nov 2026 11:06:48 +0100", undefined],
    ["2026-11-21T11:06:48Z", undefined],
    ["Sat, 99 Nov 2026 11:06:48 GMT", undefined],
    ["", undefined],
    [undefined, undefined],
    [["Sat, 21 Nov 2026 11:06:48 GMT"], undefined],
  ])("%j is %j", (text, expected) => {
    expect(httpDate.parse(text)).toBe(expected);
  });
});
