import { expect, it } from "vitest";
import { OWN_FAMILIES } from "../../src/self/own-families.ts";
import { createOwnMetrics } from "../../src/self/own-metrics.ts";
import { ALONE } from "../../src/poller/shard/shard.ts";

it("the exporter's own families are those that the process counts", async () => {
  const { registry } = createOwnMetrics({
    version: "1",
    revision: "r",
    nodeVersion: "v",
    shard: ALONE,
    series: () => 0,
    probing: () => 0,
    endpoints: [],
  });
  const counted = (await registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith("avax_"))
    .map(({ name, help, type }) => ({ name, help, type: String(type) }));
  expect(Object.values(OWN_FAMILIES).map(({ name, help, type }) => ({ name, help, type }))).toEqual(counted);
});
