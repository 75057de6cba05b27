import { expect, test } from "vitest";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../../src/topics/all/recordings.ts";
import { get } from "../ask.ts";
import { run } from "../running.ts";
import { recordedExpr } from "../../support/recorded-expr.ts";

test("a real node serves its own metrics in the text format of Prometheus, one of the specification none", async () => {
  const { url } = await run({ nodes: 2, scenario: [{ node: 2, name: "unhealthy-check" }] });
  const healthy = await get(url(1), "/ext/metrics");
  expect([healthy.status, healthy.headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expect(healthy.body).toMatch(/^# TYPE avalanche_network_peers gauge\navalanche_network_peers \d+$/m);
  expect(healthy.body).toMatch(/^avalanche_snowman_last_accepted_height\{chain="P"\} \d+$/m);
  expect(healthy.body).toContain('avalanche_health_checks_failing{check="health",tag="all"} 0\n');
  expect((await get(url(2), "/ext/metrics")).body).not.toContain('{check="health",tag="all"} 0\n');
  const names = new Set(
    [...ALERTS.map(({ expr }) => expr), ...RECORDINGS.map(recordedExpr)].flatMap((expr) =>
      [...expr.matchAll(/\bavalanche_\w+/g)].map(([name]) => name),
    ),
  );
  expect(names.size).toBeGreaterThan(5);
  expect([...names].filter((name) => !healthy.body.includes(`\n${name}`))).toEqual([]);
  const specified = await run({ nodes: 1, dialect: "spec" });
  expect((await get(specified.url(1), "/ext/metrics")).status).toBe(404);
});
