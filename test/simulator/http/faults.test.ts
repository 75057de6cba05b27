import { expect, test } from "vitest";
import { SCENARIO_NAMES } from "../../../simulator/world/scenarios.ts";
import { call, get, health, result } from "../ask.ts";
import { run } from "../running.ts";

test("wrong-node-id: header and getNodeID agree on another ID", async () => {
  const { url, nodeId } = await run({ scenario: [{ node: 1, name: "wrong-node-id" }] });
  const { headers } = await get(url(1), "/ext/health");
  const { nodeID } = await result<{ nodeID: string }>(url(1), "info.getNodeID");
  expect(nodeID).not.toBe(nodeId(1));
  expect(headers["node-id"]).toBe(nodeID);
});

test.each([
  ["http-403", 403, undefined],
  ["http-404", 404, undefined],
  ["http-429", 429, "5"],
  ["http-503", 503, undefined],
  ["garbage", 200, undefined],
  ["redirect", 301, undefined],
] as const)("%s answers %i on every path", async (name, status, retryAfter) => {
  const { url } = await run({ scenario: [{ node: 1, name }] });
  for (const answer of [await get(url(1), "/ext/health"), await call(url(1), "info.peers")]) {
    expect(answer.status).toBe(status);
    expect(answer.headers["retry-after"]).toBe(retryAfter);
    expect(() => JSON.parse(answer.body) as unknown).toThrow();
  }
});

test("wrong-types: every field of a result has another type", async () => {
  const { url } = await run({ scenario: [{ node: 1, name: "wrong-types" }] });
  expect(await result(url(1), "info.peers")).toEqual({ numPeers: { unexpected: "11" }, peers: "none" });
  expect(await health(url(1))).toMatchObject({ healthy: "yes", checks: [] });
});

test.each(["truncated", "reset"] as const)("%s: there is no complete answer", async (name) => {
  const { url } = await run({ scenario: [{ node: 1, name }] });
  await expect(call(url(1), "info.peers")).rejects.toMatchObject({ code: "ECONNRESET" });
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

test("huge: the body is endless", async () => {
  const { url } = await run({ scenario: [{ node: 1, name: "huge" }] });
  const response = await fetch(`${url(1)}/ext/health`);
  let read = 0;
  for await (const chunk of response.body ?? []) {
    read += (chunk as Uint8Array).length;
    if (read > 5_000_000) break;
  }
  expect(read).toBeGreaterThan(5_000_000);
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
