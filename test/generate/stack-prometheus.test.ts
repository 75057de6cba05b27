import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { keptNativeSeries } from "../../generate/stack-prometheus.ts";
import { NATIVE_FAMILIES } from "../../src/topics/node/native-families.ts";

const FOLDER = "test/recordings";
const KEPT = new RegExp(`^${keptNativeSeries()}$`);

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith(".native-metrics.txt")))("of %s", (file) => {
  const series = readFileSync(`${FOLDER}/${file}`, "utf8")
    .split("\n")
    .filter((line) => /^\w/.test(line))
    .map((line) => ({ name: /^\w+/.exec(line)?.[0] ?? "", method: /method="([^"]*)"/.exec(line)?.[1] ?? "" }));
  const kept = series.filter(({ name, method }) => KEPT.test(`${name};${method}`));

  it("the stack's Prometheus keeps less than a hundred series of a node", () => {
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(100);
  });

  it("it keeps every family that rules and dashboards read", () => {
    const sent = new Set(series.map(({ name }) => name));
    const names = new Set(kept.map(({ name }) => name));
    expect(
      Object.values(NATIVE_FAMILIES).flatMap(({ name }) => (sent.has(name) && !names.has(name) ? [name] : [])),
    ).toEqual([]);
  });
});
