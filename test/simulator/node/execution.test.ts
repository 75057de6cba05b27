import { expect, test } from "vitest";
import { ask, get, health } from "../ask.ts";
import { run } from "../running.ts";
import type { ScenarioName } from "../../../simulator/simulate.ts";

/** A simulated node after Helicon, with what its interfaces say of its executor, plugins and of blocks that it refuses. */
async function node(name: ScenarioName) {
  const { url, pass, simulation } = await run({ nodes: 2, heliconTime: 1 });
  simulation.set(1, name);
  const executed = async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
    const answer = await ask(url(1), { method: "POST", path: "/ext/bc/C/rpc", body });
    return Number((JSON.parse(answer.body) as { readonly result: string }).result);
  };
  const start = await executed();
  const figures = async () => {
    const { healthy, checks } = await health(url(1));
    const { body } = await get(url(1), "/ext/metrics");
    const native = (family: string) => Number(new RegExp(`^avalanche_${family}{chain="C"} (.+)$`, "m").exec(body)?.[1]);
    const sae = (family: string) => native(`evm_transition_sae_${family}`);
    const check = checks["C"]?.message as { engine: { consensus: { lastAcceptedHeight: number } } };
    return {
      healthy,
      accepted: check.engine.consensus.lastAcceptedHeight - start,
      executed: (await executed()) - start,
      queue: sae("execution_queue_blocks"),
      settled: sae("last_settled_height") - start,
      unread: native("meterchainvm_parse_block_err_count"),
      unverified: native("meterchainvm_verify_err_count"),
      seconds: sae("execute_block_duration_seconds_sum"),
    };
  };
  return { pass, url: url(1), figures };
}

test.each<[ScenarioName, Partial<Awaited<ReturnType<Awaited<ReturnType<typeof node>>["figures"]>>>]>([
  ["healthy", { accepted: 60, executed: 60, queue: 0, settled: 58, unread: 0, unverified: 0 }],
  ["executor-stalled", { accepted: 3, executed: 0, queue: 3, settled: -2, unread: 0, unverified: 3636 }],
  ["executor-slow", { accepted: 27, executed: 24, queue: 3, settled: 22, unread: 0, unverified: 0 }],
  ["upgrade-missed", { accepted: 0, executed: 0, unread: 3636, unverified: 0 }],
])("two minutes of %s", async (name, expected) => {
  const { pass, figures } = await node(name);
  const { seconds: before } = await figures();
  pass(120);
  const after = await figures();
  expect(after).toMatchObject({ healthy: true, ...expected });
  if (name === "executor-slow") expect(after.seconds - before).toBeCloseTo(120, 3);
});

test("a plugin that hangs takes the node's own metrics with it, though the node says that it is healthy", async () => {
  const { pass, url } = await node("plugin-hung");
  const isOpen = await Promise.race([get(url, "/ext/metrics").then(() => false), health(url).then(() => true)]);
  expect([isOpen, (await health(url)).healthy]).toEqual([true, true]);
  pass(60);
  expect((await get(url, "/ext/metrics")).status).toBe(500);
});
