import { Counter, Gauge, Histogram, Registry, Summary, collectDefaultMetrics } from "prom-client";
import { expect, test } from "vitest";
import { createExposition } from "../../src/exposition/exposition.ts";
import { exporterExposition } from "../../src/daemon/exporter-exposition.ts";
import { openMetricsProblems, readExposition } from "../exposition/parse.ts";

test("counters and gauges keep their names and values", async () => {
  const registry = new Registry();
  new Counter({ name: "polls_total", help: "Polls.", labelNames: ["endpoint"], registers: [registry] }).inc(
    { endpoint: 'a"b' },
    3,
  );
  new Gauge({ name: "targets", help: "Targets.", registers: [registry] }).set(2);
  expect(await exporterExposition(registry)).toEqual([
    { family: { name: "polls_total", help: "Polls.", type: "counter" }, text: 'polls_total{endpoint="a\\"b"} 3\n' },
    { family: { name: "targets", help: "Targets.", type: "gauge" }, text: "targets 2\n" },
  ]);
});

test("histograms keep their buckets, with canonical bounds", async () => {
  const registry = new Registry();
  const histogram = new Histogram({
    name: "took_seconds",
    help: "h",
    buckets: [0.1, 1],
    labelNames: ["e"],
    registers: [registry],
  });
  histogram.observe({ e: "x" }, 0.5);
  expect(await exporterExposition(registry)).toEqual([
    {
      family: { name: "took_seconds", help: "h", type: "histogram" },
      text:
        'took_seconds_bucket{le="0.1",e="x"} 0\ntook_seconds_bucket{le="1.0",e="x"} 1\ntook_seconds_bucket{le="+Inf",e="x"} 1\n' +
        'took_seconds_sum{e="x"} 0.5\ntook_seconds_count{e="x"} 1\n',
    },
  ]);
});

test("summaries keep their quantiles", async () => {
  const registry = new Registry();
  new Summary({ name: "size_bytes", help: "h", percentiles: [0.5, 1], registers: [registry] }).observe(4);
  expect(await exporterExposition(registry)).toEqual([
    {
      family: { name: "size_bytes", help: "h", type: "summary" },
      text: 'size_bytes{quantile="0.5"} 4\nsize_bytes{quantile="1.0"} 4\nsize_bytes_sum 4\nsize_bytes_count 1\n',
    },
  ]);
});

test("gauges with the name of a counter are left out", async () => {
  const registry = new Registry();
  new Gauge({ name: "active_total", help: "h", registers: [registry] }).set(2);
  expect(await exporterExposition(registry)).toEqual([]);
});

test("a family without series has no lines", async () => {
  const registry = new Registry();
  new Gauge({ name: "empty", help: "h", labelNames: ["x"], registers: [registry] });
  expect(await exporterExposition(registry)).toEqual([
    { family: { name: "empty", help: "h", type: "gauge" }, text: "" },
  ]);
});

test("the process's own metrics read as prom-client writes them, in both formats and however often", async () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, gcDurationBuckets: [0.001, 1] });
  new Summary({ name: "own_summary", help: "h", registers: [registry], labelNames: ["a"] }).observe({ a: "x" }, 1);
  const exposition = createExposition([]);
  for (const format of ["openmetrics", "text", "openmetrics"] as const) {
    const extra = await exporterExposition(registry);
    const text = (await exposition.scrape({ format, gzip: false, extra })).toString();
    const peer = readExposition(await registry.metrics());
    const kept = [...peer.series.keys()].filter((key) => !key.includes("nodejs_active_") || !key.includes("_total"));
    expect([...readExposition(text).series.keys()].sort()).toEqual(kept.sort());
    if (format === "openmetrics") expect(openMetricsProblems(text)).toEqual([]);
  }
});
