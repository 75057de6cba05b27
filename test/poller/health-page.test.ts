import { expect, it } from "vitest";
import type { Failure } from "../../src/api/reasons.ts";
import { benchOf, configOf } from "../support/engines.ts";

/** A proxy that answers 503 with its own page in place of the node's health report. */
const PAGE: Failure = { reason: "http_status", message: 'HTTP 503: "Bad Gateway"', status: 503 };
const HEALTH = ["GET /ext/health", "GET /ext/health/readiness", "GET /ext/health/liveness"];
/** Seconds: the intervals of health, liveness and readiness. */
const [EVERY, LONGEST] = [15, 60];

it("a page in place of the health report keeps the old report for three intervals, then none, and one interval after it the new one", async () => {
  const bench = benchOf(["a"]);
  bench.poller.apply(configOf(["a"]));
  await bench.run(140);
  const about = async () =>
    [...(await bench.series())].filter(([name]) => /^avax_node_(healthy|health_check_\w+)\{/.test(name));
  const before = await about();
  expect(before.map(([name]) => name.split("{")[0])).toContain("avax_node_health_check_last_run_timestamp_seconds");
  const names = before.map(([name]) => name);

  for (const name of HEALTH) bench.node("a").failing.set(name, PAGE);
  await bench.run(2 * EVERY);
  // Two failures: the report of at most three intervals ago is shown, with the times that its checks ran.
  expect((await about()).map(([name]) => name)).toEqual(names);
  expect(await bench.value('avax_node_healthy{node="a"}')).toBe(1);
  await bench.run(2 * EVERY);
  expect(await about()).toEqual([]);
  // The node answers everything else: it is up, and its health is unknown, not bad.
  expect(await bench.value('avax_node_up{node="a"}')).toBe(1);

  await bench.run(300);
  for (const name of HEALTH) bench.node("a").failing.delete(name);
  await bench.run(EVERY + 2);
  expect((await about()).map(([name]) => name)).toEqual(names);
  expect(await bench.value('avax_node_healthy{node="a"}')).toBe(1);
  await bench.run(LONGEST - EVERY);
  expect(await bench.value('avax_node_ready{node="a"}')).toBe(1);
  expect(await bench.value('avax_node_live{node="a"}')).toBe(1);
});
