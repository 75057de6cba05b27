import { expect, test } from "vitest";
import { SCENARIO_NAMES } from "../../../simulator/world/scenarios.ts";
import { call, get, health, result } from "../ask.ts";
import { run } from "../running.ts";

/** What a client sees of each fault: test/contract/simulator.test.ts. */

test("wrong-node-id: header and getNodeID agree on another ID", async () => {
  const { url, nodeId } = await run({ scenario: [{ node: 1, name: "wrong-node-id" }] });
  const { headers } = await get(url(1), "/ext/health");
  const { nodeID } = await result<{ nodeID: string }>(url(1), "info.getNodeID");
  expect(nodeID).not.toBe(nodeId(1));
  expect(headers["node-id"]).toBe(nodeID);
});

test("http-429 asks to wait for five seconds, on every path", async () => {
  const { url } = await run({ scenario: [{ node: 1, name: "http-429" }] });
  for (const answer of [await get(url(1), "/ext/health"), await call(url(1), "info.peers")])
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "5"]);
});

test("slow answers late and completely, hanging does not answer", async () => {
  const { simulation, url } = await run({
    scenario: [
      { node: 1, name: "slow" },
      { node: 2, name: "hanging" },
    ],
    slowSeconds: 0.05,
  });
  const order: string[] = [];
  await Promise.all([
    get(url(1), "/ext/health").then(({ status }) => order.push(`slow ${status}`)),
    get(url(3), "/ext/health").then(({ status }) => order.push(`other ${status}`)),
  ]);
  expect(order).toEqual(["other 200", "slow 200"]);
  const silence = get(url(2), "/ext/health");
  await expect.poll(() => simulation.count(2, "/ext/health")).toBe(1);
  await Promise.all([simulation.close(), expect(silence).rejects.toMatchObject({ code: "ECONNRESET" })]);
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
  await expect
    .poll(() =>
      health(url(1)).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});
