import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/api/reasons.ts";
import { benchOf, configOf, type Bench } from "../support/engines.ts";
import { validatorOf } from "../support/fake-client.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const SETS = "platform.getCurrentValidators";
const STAKE = 'avax_validators{network="local",subnet="primary"}';

async function started(): Promise<Bench> {
  const bench = benchOf(NAMES);
  for (const node of bench.nodes.values()) node.validators = NAMES.map((name) => validatorOf(`NodeID-${name}`));
  bench.poller.apply(configOf(NAMES));
  await bench.run(90);
  return bench;
}

const wholeSets = (bench: Bench, name: string): number =>
  bench.node(name).asked.filter((each) => each.name === SETS && each.params === "{}").length;

const FAILURES: Readonly<Record<string, Failure>> = {
  "an error": { reason: "rpc_error", message: "validator set: not available", rpcMessage: "not available" },
  "a switched-off interface": { reason: "unsupported", message: "the method does not exist" },
  "no answer in time": { reason: "timeout", message: "no complete answer in time" },
};

describe.each(Object.entries(FAILURES))("a reference node that answers one question with %s", (_what, failure) => {
  it("is not asked it any more: the next node is, before a series is gone, and the first one again later", async () => {
    const bench = await started();
    const before = await bench.value(STAKE);
    expect(before).toBe(5);
    bench.node("a").failing.set(SETS, failure);
    for (let seconds = 0; seconds < 600; seconds += 15) {
      await bench.run(15);
      expect(await bench.value(STAKE)).toBe(5);
    }
    expect(wholeSets(bench, "b")).toBeGreaterThan(5);
    expect(wholeSets(bench, "d")).toBe(0);
    expect(await bench.value('avax_node_up{node="a"}')).toBe(1);
    expect(bench.logged.filter((line) => line === "a question about the network moves to another node")).toHaveLength(
      1,
    );
    expect(bench.poller.status().networks[0]?.referenceNode).toBe("a");
    bench.node("a").failing.clear();
    bench.node("a").asked.length = 0;
    await bench.run(700);
    expect(wholeSets(bench, "a")).toBeGreaterThan(0);
    expect(await bench.value(STAKE)).toBe(5);
  });
});

it("a question that no node answers is asked of three, and then of the reference node", async () => {
  const bench = await started();
  for (const node of bench.nodes.values()) {
    node.failing.set(SETS, { reason: "rpc_error", message: "no" });
    node.asked.length = 0;
  }
  await bench.run(590);
  expect(NAMES.map((name) => wholeSets(bench, name) > 0)).toEqual([true, true, true, false, false]);
  expect(await bench.value(STAKE)).toBeUndefined();
  for (const node of bench.nodes.values()) node.failing.clear();
  await bench.run(120);
  expect(await bench.value(STAKE)).toBe(5);
});
