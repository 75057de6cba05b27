import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { selector } from "../../../src/topics/define/selector.ts";
import { promqlOf, resultOf, type Condition } from "../../../src/topics/define/condition.ts";
import { gauges } from "../../../src/topics/define/metric.ts";
import type { Recording } from "../../../src/topics/define/recording.ts";
import { threshold } from "../../../src/topics/define/threshold.ts";

const metric = (name: string) => gauges(name, "", ["chain"], () => []);
const seconds = metric("avax_a_seconds");
const ratio = metric("avax_a_ratio");
const time = metric("avax_a_timestamp_seconds");
const few = threshold("few", "number", "below this", { standard: 5, least: 1, most: 9 });

const rendered = (condition: Condition, more: readonly string[] = [], isPage = false): string =>
  promqlOf(condition, { settings: new Map([["few", 7]]), isPage, more });

test.each<[Condition, string]>([
  [{ of: seconds, above: 3 }, "max without (instance)(avax_a_seconds) > 3"],
  [{ of: seconds, below: few }, "min without (instance)(avax_a_seconds) < 7"],
  [{ of: seconds, atLeast: 3 }, "max without (instance)(avax_a_seconds) >= 3"],
  [{ of: seconds, equals: 1 }, "max without (instance)(avax_a_seconds) == 1"],
  [{ of: seconds, equals: 0 }, "min without (instance)(avax_a_seconds) == 0"],
  [{ of: seconds, equals: 1, unanimous: true }, "min without (instance)(avax_a_seconds) == 1"],
  [{ of: seconds, above: 3, perExporter: true }, "avax_a_seconds > 3"],
  [{ of: ratio, below: 0.07 }, "100 * min without (instance)(avax_a_ratio) < 7"],
  [{ of: time, within: 60 }, "min without (instance)(avax_a_timestamp_seconds) - time() < 60"],
  [{ of: time, longerThan: 60 }, "time() - min without (instance)(avax_a_timestamp_seconds) > 60"],
  [
    { of: selector(seconds, { chain: "C", network: "=~a|b" }), equals: 1 },
    'max without (instance)(avax_a_seconds{chain="C",network=~"a|b"}) == 1',
  ],
  [{ promql: ({ series, limit }) => `rate(${series(seconds)}[5m]) > ${limit(few)}` }, "rate(avax_a_seconds[5m]) > 7"],
])("%j is %s", (condition, expr) => {
  expect(rendered(condition)).toBe(expr);
});

describe("PromQL of a condition", () => {
  it("is bridged over a restart of the exporter where it pages", () => {
    expect(rendered({ of: seconds, above: 3 }, [], true)).toBe(
      "max without (instance)(last_over_time(avax_a_seconds[6m])) > 3",
    );
  });

  it("has the matchers of a user in series of the exporter alone", () => {
    const recorded: Recording = {
      name: "node:avax_native:sum",
      about: "",
      labels: [],
      promql: ({ series }) => `sum(${series({ name: "avalanche_b", labels: [] })})`,
    };
    const more = ['job="x"', 'site!="y"'];
    const condition: Condition = { promql: (query) => `${query.recorded(recorded)} > ${query.series(seconds)}` };
    expect(rendered(condition, more)).toBe('node:avax_native:sum{job="x"} > avax_a_seconds{job="x",site!="y"}');
    const reads: unknown[] = [];
    const inline = promqlOf(condition, {
      ...{ settings: new Map(), isPage: false, more: [], inline: true },
      reads: (read) => reads.push(read),
    });
    expect(inline).toBe("(sum(avalanche_b)) > avax_a_seconds");
    expect(reads).toEqual([recorded, { family: "avalanche_b" }, { family: "avax_a_seconds" }]);
  });
});

test.each<[Condition, Readonly<Record<string, string>>, number, number | undefined]>([
  [{ of: seconds, above: 3 }, {}, 3, undefined],
  [{ of: seconds, above: 3 }, {}, 3.5, 3.5],
  [{ of: seconds, atLeast: 3 }, {}, 3, 3],
  [{ of: seconds, below: few }, {}, 6, 6],
  [{ of: seconds, below: few }, {}, 7, undefined],
  [{ of: seconds, above: 3 }, {}, Infinity, Infinity],
  [{ of: seconds, below: 3 }, {}, Infinity, undefined],
  [{ of: seconds, equals: 0 }, {}, 0, 0],
  [{ of: ratio, below: 0.5 }, {}, 0.25, 25],
  [{ of: time, within: 60 }, {}, 1_059, 59],
  [{ of: time, within: 60 }, {}, 1_060, undefined],
  [{ of: time, longerThan: 60 }, {}, 939, 61],
  [{ of: selector(seconds, { chain: "C" }), equals: 1 }, { chain: "C" }, 1, 1],
  [{ of: selector(seconds, { chain: "C" }), equals: 1 }, { chain: "X" }, 1, undefined],
  [{ of: selector(seconds, { chain: "!=" }), equals: 1 }, {}, 1, undefined],
  [{ of: selector(seconds, { chain: "=~C|X" }), equals: 1 }, { chain: "XX" }, 1, undefined],
])("%j of %j %d: %s", (condition, labels, value, result) => {
  if ("promql" in condition) throw new Error("not a comparison");
  expect(resultOf(condition, new Map([["few", 7]]))({ labels, value }, 1_000)).toBe(result);
});

test("a worse value meets what a better one meets", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), fc.double({ noNaN: true }), (limit, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const met = (condition: Parameters<typeof resultOf>[0], value: number) =>
        resultOf(condition, new Map())({ labels: {}, value }, 0) !== undefined;
      if (met({ of: seconds, above: limit }, low)) expect(met({ of: seconds, above: limit }, high)).toBe(true);
      if (met({ of: seconds, below: limit }, high)) expect(met({ of: seconds, below: limit }, low)).toBe(true);
    }),
  );
});
