import { Counter, Gauge, Histogram, Registry, Summary, collectDefaultMetrics } from "prom-client";
import { expect, test } from "vitest";
import { createExposition } from "../../src/exposition/exposition.ts";
import { exporterExposition } from "../../src/daemon/exporter-exposition.ts";
import { openMetricsProblems, readExposition } from "../exposition/parse.ts";

test("families keep their names, values and buckets, with canonical bounds", async () => {
  const registry = new Registry();
  const common = { help: "h", registers: [registry] };
  new Counter({ ...common, name: "polls_total", labelNames: ["endpoint"] }).inc({ endpoint: 'a"b' }, 3);
  new Gauge({ ...common, name: "targets" }).set(2);
  new Histogram({ ...common, name: "took_seconds", buckets: [0.1, 1], labelNames: ["e"] }).observe({ e: "x" }, 0.5);
  new Summary({ ...common, name: "size_bytes", percentiles: [0.5, 1] }).observe(4);
  new Gauge({ ...common, name: "empty", labelNames: ["x"] });
  // A gauge with the name of a counter is left out.
  new Gauge({ ...common, name: "active_total" }).set(2);
  const shown = await exporterExposition(registry);
  expect(shown.map(({ family: { name, help, type }, text }) => [name, help, type, text])).toEqual([
    ["polls_total", "h", "counter", 'polls_total{endpoint="a\\"b"} 3\n'],
    ["targets", "h", "gauge", "targets 2\n"],
    [
      "took_seconds",
      "h",
      "histogram",
      'took_seconds_bucket{le="0.1",e="x"} 0\ntook_seconds_bucket{le="1.0",e="x"} 1\ntook_seconds_bucket{le="+Inf",e="x"} 1\n' +
        'took_seconds_sum{e="x"} 0.5\ntook_seconds_count{e="x"} 1\n',
    ],
    [
      "size_bytes",
      "h",
      "summary",
      'size_bytes{quantile="0.5"} 4\nsize_bytes{quantile="1.0"} 4\nsize_bytes_sum 4\nsize_bytes_count 1\n',
    ],
    ["empty", "h", "gauge", ""],
  ]);
});

test("the process's own metrics read as prom-client writes them, in both formats and however often", async () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, gcDurationBuckets: [0.001, 1] });
  new Summary({ name: "own_summary", help: "h", registers: [registry], labelNames: ["a"] }).observe({ a: "x" }, 1);
  const exposition = createExposition([]);
  for (const format of ["openmetrics", "text", "openmetrics"] as const) {
    const extra = await exporterExposition(registry);
    const text = exposition.scrape({ format, gzip: false, extra }).toString();
    const peer = readExposition(await registry.metrics());
    const kept = [...peer.series.keys()].filter((key) => !key.includes("nodejs_active_") || !key.includes("_total"));
    expect([...readExposition(text).series.keys()].sort()).toEqual(kept.sort());
    if (format === "openmetrics") expect(openMetricsProblems(text)).toEqual([]);
  }
});
