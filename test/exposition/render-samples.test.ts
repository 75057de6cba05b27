import { describe, expect, test } from "vitest";
import { canonicalNumber, escapeLabelValue, renderHeader, renderSamples } from "../../src/exposition/render-samples.ts";

const gauge = { name: "avax_x", type: "gauge" } as const;

describe("renderSamples", () => {
  test("writes one line for each value, base labels first", () => {
    const rendered = renderSamples(gauge, { node: "a", network: "fuji" }, [
      [{ chain: "C" }, 1],
      [{ chain: "P" }, 2.5],
    ]);
    expect(rendered).toMatchObject({
      text: 'avax_x{node="a",network="fuji",chain="C"} 1\navax_x{node="a",network="fuji",chain="P"} 2.5\n',
      series: 2,
      duplicates: 0,
    });
  });

  test("writes booleans as 1 and 0 and omits unknown values", () => {
    const rendered = renderSamples(gauge, {}, [
      [{ c: "a" }, true],
      [{ c: "b" }, false],
      [{ c: "c" }, undefined],
    ]);
    expect(rendered).toMatchObject({ text: 'avax_x{c="a"} 1\navax_x{c="b"} 0\n', series: 2, duplicates: 0 });
  });

  test("omits empty labels", () => {
    expect(renderSamples(gauge, { node: "" }, [[{ a: "", b: "x" }, 1]]).text).toBe('avax_x{b="x"} 1\n');
    expect(renderSamples(gauge, { node: "" }, [[{ a: "" }, 1]]).text).toBe("avax_x 1\n");
    expect(renderSamples(gauge, { node: "a" }, []).text).toBe("");
  });

  test("keeps the first of equal label sets and counts the others", () => {
    const rendered = renderSamples(gauge, {}, [
      [{ c: "a" }, 1],
      [{ c: "b" }, 2],
      [{ c: "a" }, 3],
    ]);
    expect(rendered).toMatchObject({ text: 'avax_x{c="a"} 1\navax_x{c="b"} 2\n', series: 2, duplicates: 1 });
  });

  test("detects equal label sets with names in a different order or an empty label", () => {
    const rendered = renderSamples(gauge, {}, [
      [{ a: "1", b: "2" }, 1],
      [{ b: "2", a: "1" }, 2],
      [{ a: "1" }, 3],
      [{ a: "1", b: "" }, 4],
    ]);
    expect(rendered).toMatchObject({ text: 'avax_x{a="1",b="2"} 1\navax_x{a="1"} 3\n', series: 2, duplicates: 2 });
  });

  test("detects label sets that are equal after truncation", () => {
    const long = "x".repeat(200);
    const samples = [[{ c: `${long}1` }, 1] as const, [{ c: `${long}2` }, 2] as const];
    expect(renderSamples(gauge, {}, samples)).toMatchObject({
      text: `avax_x{c="${long}"} 1\n`,
      series: 1,
      duplicates: 1,
    });
  });

  test("replaces a base label by the sample's label, at the position of the base label", () => {
    const rendered = renderSamples(gauge, { node: "a", network: "n" }, [
      [{ chain: "C", node: "b" }, 1],
      [{ chain: "C" }, 2],
    ]);
    expect(rendered.text).toBe('avax_x{node="b",network="n",chain="C"} 1\navax_x{node="a",network="n",chain="C"} 2\n');
  });

  test("accepts label names that objects inherit", () => {
    const samples = [
      [{ constructor: "a" }, 1] as const,
      [{ toString: "b" } as unknown as Record<string, string>, 2] as const,
    ];
    expect(renderSamples(gauge, {}, samples).text).toBe('avax_x{constructor="a"} 1\navax_x{toString="b"} 2\n');
  });

  test("writes a histogram as cumulative buckets, sum and count", () => {
    const value = { buckets: [[0.5, 1] as const, [1, 2] as const], sum: 7.25, count: 3 };
    expect(renderSamples({ name: "avax_h", type: "histogram" }, { node: "a" }, [[{}, value]])).toMatchObject({
      text:
        'avax_h_bucket{node="a",le="0.5"} 1\navax_h_bucket{node="a",le="1.0"} 2\navax_h_bucket{node="a",le="+Inf"} 3\n' +
        'avax_h_sum{node="a"} 7.25\navax_h_count{node="a"} 3\n',
      series: 5,
      duplicates: 0,
    });
  });

  test("writes the last bucket of a histogram once and without other labels", () => {
    const value = { buckets: [[Infinity, 3] as const], sum: 1, count: 3 };
    expect(renderSamples({ name: "avax_h", type: "histogram" }, {}, [[{ le: "x" }, value]])).toMatchObject({
      text: 'avax_h_bucket{le="+Inf"} 3\navax_h_sum 1\navax_h_count 3\n',
      series: 3,
      duplicates: 0,
    });
  });
});

describe("label values", () => {
  test.each([
    ["plain", "plain"],
    ['say "hi"', 'say \\"hi\\"'],
    ["C:\\x", "C:\\\\x"],
    ["a\nb", "a\ufffdb"],
    ["\\n", "\\\\n"],
    ["\u001b[31mred", "\ufffd[31mred"],
    ["ab\u202ecd", "ab\ufffdcd"],
    ["a\u200bb\u2028c", "a\ufffdb\ufffdc"],
    ["Zürich 東京 😀", "Zürich 東京 😀"],
    ["a\0b", "a\ufffdb"],
    ["\ud83d", "\ufffd"],
    ["\udd3aX", "\ufffdX"],
  ])("%j is written as %j", (value, written) => {
    expect(escapeLabelValue(value)).toBe(written);
  });

  test("are truncated to 200 units before they are escaped", () => {
    expect(escapeLabelValue("a".repeat(201))).toBe("a".repeat(200));
    expect(escapeLabelValue('"'.repeat(300))).toBe('\\"'.repeat(200));
  });

  test("are not truncated inside a character", () => {
    expect(escapeLabelValue(`${"a".repeat(199)}🔺`)).toBe("a".repeat(199));
    expect(escapeLabelValue(`${"a".repeat(198)}🔺b`)).toBe(`${"a".repeat(198)}🔺`);
  });
});

test.each([
  [0, "0.0"],
  [-1, "-1.0"],
  [0.005, "0.005"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1.5e-7, "1.5e-07"],
  [1000000, "1e+06"],
  [1234567.5, "1.2345675e+06"],
  [1e21, "1e+21"],
  [Infinity, "+Inf"],
])("the bound %d is written as %s", (value, written) => {
  expect(canonicalNumber(value)).toBe(written);
});

describe("renderHeader", () => {
  test("names the unit in OpenMetrics, where the name of the family ends with it", () => {
    const unitOf = (name: string, type: "counter" | "gauge" = "gauge") =>
      /^# UNIT .*$/m.exec(renderHeader({ name, help: "h", type }, "openmetrics"))?.[0];
    expect(unitOf("avax_x_timestamp_seconds")).toBe("# UNIT avax_x_timestamp_seconds seconds");
    expect(unitOf("avax_x_seconds_total", "counter")).toBe("# UNIT avax_x_seconds seconds");
    expect(unitOf("avax_x_ratio")).toBe("# UNIT avax_x_ratio ratio");
    expect(unitOf("avax_x_balance_avax")).toBe("# UNIT avax_x_balance_avax avax");
    expect([unitOf("avax_x"), unitOf("avax_x_blocks"), unitOf("seconds")]).toEqual([undefined, undefined, undefined]);
    expect(renderHeader({ name: "avax_x_seconds", help: "h", type: "gauge" }, "text")).not.toContain("UNIT");
  });

  test("is the same in both formats for gauges and histograms", () => {
    for (const format of ["text", "openmetrics"] as const) {
      expect(renderHeader({ name: "avax_x", help: "What it is.", type: "gauge" }, format)).toBe(
        "# HELP avax_x What it is.\n# TYPE avax_x gauge\n",
      );
      expect(renderHeader({ name: "avax_x", help: "h", type: "histogram" }, format)).toBe(
        "# HELP avax_x h\n# TYPE avax_x histogram\n",
      );
    }
  });

  test("names a counter without its suffix in OpenMetrics", () => {
    const counter = { name: "avax_x_total", help: "h", type: "counter" } as const;
    expect(renderHeader(counter, "text")).toBe("# HELP avax_x_total h\n# TYPE avax_x_total counter\n");
    expect(renderHeader(counter, "openmetrics")).toBe("# HELP avax_x h\n# TYPE avax_x counter\n");
  });

  test("names an info like its series in both formats, where it is a gauge", () => {
    const info = { name: "avax_x_info", help: "h", type: "info" } as const;
    expect(renderHeader(info, "text")).toBe("# HELP avax_x_info h\n# TYPE avax_x_info gauge\n");
    expect(renderHeader(info, "openmetrics")).toBe("# HELP avax_x_info h\n# TYPE avax_x_info gauge\n");
  });

  test("has no OpenMetrics type that contradicts the name", () => {
    expect(renderHeader({ name: "requests", help: "", type: "counter" }, "openmetrics")).toBe(
      "# TYPE requests unknown\n",
    );
  });

  test("escapes help, quotes only in OpenMetrics", () => {
    const family = { name: "avax_x", help: 'a "b" \\ c\nd\ud800', type: "gauge" } as const;
    expect(renderHeader(family, "text")).toBe('# HELP avax_x a "b" \\\\ c\\nd\ufffd\n# TYPE avax_x gauge\n');
    expect(renderHeader(family, "openmetrics")).toBe('# HELP avax_x a \\"b\\" \\\\ c\\nd\ufffd\n# TYPE avax_x gauge\n');
  });
});
