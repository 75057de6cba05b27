import { expect, test } from "vitest";
import { health, result } from "../ask.ts";
import { SCENARIO_NAMES } from "../../../simulator/world/scenarios.ts";
import { run } from "../running.ts";

const height = async (url: string): Promise<number> =>
  Number((await result<{ height: string }>(url, "platform.getHeight")).height);

test("frozen-health: timestamps stop, healthy stays true and heights increase", async () => {
  const { simulation, url, pass } = await run();
  simulation.set(1, "frozen-health");
  const [before, low] = [await health(url(1)), await height(url(1))];
  pass(600);
  const [after, high] = [await health(url(1)), await height(url(1))];
  expect(after).toEqual(before);
  expect(after.healthy).toBe(true);
  expect(high - low).toBe(60);
});

test("stuck-chain: C stops and its check fails once the block is older than 30 s", async () => {
  const { simulation, url, pass } = await run();
  simulation.set(1, "stuck-chain");
  expect((await health(url(1))).status).toBe(200);
  pass(90);
  const { status, checks } = await health(url(1));
  expect(status).toBe(503);
  expect(checks["C"]).toMatchObject({ error: "block processing too long: 1m30s > 30s", contiguousFailures: 2 });
  expect(simulation.state().nodes[0]?.heights.C).toBe(1_728_000);
  expect(simulation.state().nodes[1]?.heights.C).toBe(1_728_045);
});

test("every scenario can be set and reset while running", async () => {
  const { simulation, url, pass } = await run({ nodes: 2, slowSeconds: 0 });
  for (const name of SCENARIO_NAMES) {
    simulation.set("all", name);
    pass(40);
    expect(simulation.state().nodes.map(({ scenarios }) => scenarios)).toEqual([[name], [name]]);
  }
  simulation.set("all", "healthy");
  pass(40);
  await expect.poll(() => health(url(1)).then(({ status }) => status, String)).toBe(200);
});
