import { expect, test } from "vitest";
import { call, health, result } from "../ask.ts";
import { run } from "../running.ts";

const questions: ReadonlyArray<readonly [string, unknown?]> = [
  ["info.peers"],
  ["info.uptime"],
  ["info.acps"],
  ["info.getNodeID"],
  ["health.health"],
  ["platform.getCurrentValidators"],
  ["platform.getHeight"],
  ["platform.getBlockByHeight", { height: "345602", encoding: "json" }],
];

test("the same seed, clock and changes give the same answers, independent of earlier requests", async () => {
  const [first, second] = [await run({ seed: 7, speed: 10 }), await run({ seed: 7, speed: 10 })];
  for (const { simulation, pass, url } of [first, second]) {
    pass(33);
    // Only one gets requests here: its caches must not change later answers.
    if (url(1) === first.url(1)) await Promise.all(questions.map(([method, params]) => call(url(1), method, params)));
    simulation.set(3, "few-peers");
    pass(61);
  }
  for (const [method, params] of questions) {
    expect((await call(first.url(2), method, params)).body).toBe((await call(second.url(2), method, params)).body);
  }
  const other = await run({ seed: 8 });
  expect(other.nodeId(1)).not.toBe(first.nodeId(1));
});

test("a thousand nodes run in one process, with a limit on listed peers", async () => {
  const { simulation, url } = await run({ nodes: 1000, validators: 2000, peersPerNode: 20 });
  expect(simulation.nodes).toHaveLength(1000);
  expect(await result(url(1000), "info.peers")).toMatchObject({ numPeers: "20" });
  expect(simulation.state().validators).toHaveLength(2000);
  expect((await health(url(777))).healthy).toBe(true);
});
