import { expect, it, onTestFinished, vi } from "vitest";
import { EXPORTER_FAMILIES } from "../../src/topics/exporter/exporter-families.ts";
import { ExporterMetrics } from "../../src/daemon/exporter-metrics.ts";

const OPTIONS = {
  version: "1",
  revision: "r",
  nodeVersion: "v",
  shard: { index: 0, total: 1 },
  series: () => 0,
  probing: () => 0,
  startedAt: 1_795_259_208.5,
};

it("the process counts the declared families, in their order", async () => {
  const { registry } = new ExporterMetrics(OPTIONS);
  const counted = (await registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith("avax_"))
    .map(({ name, help, type }) => ({ name, help, type: String(type) }));
  expect(Object.values(EXPORTER_FAMILIES).map(({ name, help, type }) => ({ name, help, type }))).toEqual(counted);
});

it("the time of the build is a label, and absent in a clone", async () => {
  const labels = async (buildDate?: string) => {
    const { registry } = new ExporterMetrics({ ...OPTIONS, buildDate });
    const build = await registry.getSingleMetric(EXPORTER_FAMILIES.build.name)?.get();
    return build?.values.map((each) => each.labels);
  };
  const always = { version: "1", revision: "r", node_js_version: "v" };
  expect(await labels("2026-01-05T08:00:00Z")).toEqual([{ ...always, build_date: "2026-01-05T08:00:00Z" }]);
  expect(await labels()).toEqual([always]);
});

it("the start is exported as Unix seconds", async () => {
  const { registry } = new ExporterMetrics(OPTIONS);
  const start = await registry.getSingleMetric(EXPORTER_FAMILIES.start.name)?.get();
  expect(start?.values).toEqual([{ labels: {}, value: 1_795_259_208.5 }]);
});

it("the last write is absent without a state file, 1 from the start with one, and 0 after a failure", async () => {
  const valuesOf = async (storing: boolean, ...outcomes: readonly boolean[]) => {
    const own = new ExporterMetrics({ ...OPTIONS, storing });
    for (const ok of outcomes) own.stored(ok);
    const metric = await own.registry.getSingleMetric(EXPORTER_FAMILIES.storageOk.name)?.get();
    return metric?.values.map(({ value }) => value);
  };
  expect(await valuesOf(false)).toEqual([]);
  expect(await valuesOf(true)).toEqual([1]);
  expect(await valuesOf(true, true, false)).toEqual([0]);
  expect(await valuesOf(true, false, true)).toEqual([1]);
});

it("the utilization is that of the time since the last scrape, and of five seconds at least", async () => {
  let [idle, active] = [0, 0];
  vi.spyOn(performance, "now").mockImplementation(() => idle + active);
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation((now, before) => {
    const [i, a] = [(now?.idle ?? idle) - (before?.idle ?? 0), (now?.active ?? active) - (before?.active ?? 0)];
    return { idle: i, active: a, utilization: a / (i + a) };
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { registry } = new ExporterMetrics(OPTIONS);
  const after = async (waits: number, works: number) => {
    [idle, active] = [idle + waits, active + works];
    return (await registry.getSingleMetric(EXPORTER_FAMILIES.utilization.name)?.get())?.values[0]?.value;
  };
  expect(await after(7_500, 2_500)).toBe(0.25);
  // A second scraper does not see the work of the first scrape alone.
  expect(await after(0, 4_900)).toBe(0.25);
  expect(await after(0, 5_100)).toBe(1);
});
