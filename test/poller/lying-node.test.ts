import { beforeAll, describe, expect, it } from "vitest";
import { makeNodeId } from "../../simulator/encoding/ids.ts";
import { benchOf, configOf, type Bench } from "../support/engines.ts";
import { validatorOf, type FakeNode } from "../support/fake-client.ts";

/** Eight nodes of one network; the fourth lies about its identity. */
const NAMES = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"];
const LIAR = "n4";
const OTHERS = NAMES.filter((name) => name !== LIAR);
const MINUTES = 5;
/** Seconds between two polls of the watched validators. */
const INTERVAL = 30;
const WATCHED = "platform.getCurrentValidators";

/** What the liar does in each second. */
const LIES: Readonly<Record<string, (node: FakeNode, second: number) => void>> = {
  "another ID each second": (node, second) => {
    node.nodeId = makeNodeId("liar", second);
  },
  "the ID of another node each other second": (node, second) => {
    node.nodeId = second % 2 === 0 ? "NodeID-n6" : "NodeID-n4";
  },
  "the IDs of the others in turn": (node, second) => {
    node.nodeId = `NodeID-${OTHERS[second % OTHERS.length]}`;
  },
};

async function run(lie?: (node: FakeNode, second: number) => void): Promise<Bench> {
  const bench = benchOf(NAMES);
  for (const node of bench.nodes.values()) node.validators = NAMES.map((name) => validatorOf(`NodeID-${name}`));
  bench.poller.apply(configOf(NAMES));
  await bench.run(120);
  for (const { asked } of bench.nodes.values()) asked.length = 0;
  for (let second = 0; second < MINUTES * 60; second++) {
    lie?.(bench.node(LIAR), second);
    await bench.run(1);
  }
  return bench;
}

/** Polls of a node, without and with those about the watch list. */
function pollsOf(bench: Bench, name: string) {
  const isWatched = (each: FakeNode["asked"][number]) => each.name === WATCHED && each.params.includes("nodeIDs");
  const { asked } = bench.node(name);
  return { watched: asked.filter(isWatched).length, rest: asked.filter((each) => !isWatched(each)).length };
}

/** The series about the other nodes, and about their validators as others observe them, that keep their values. */
async function seriesOf(bench: Bench): Promise<ReadonlyMap<string, number>> {
  const isSteady = (key: string) =>
    /^avax_(node_(up|healthy|info|configured)|validator_(connected|uptime_observed_ratio|in_set|info))\{/.test(key) &&
    !key.includes(`"${LIAR}"`) &&
    !key.includes(`NodeID-${LIAR}"`);
  return new Map([...(await bench.series())].filter(([key]) => isSteady(key)));
}

let honest: Bench;
beforeAll(async () => {
  honest = await run();
});

describe.each(Object.entries(LIES))("a node that answers with %s", (_what, lie) => {
  it("costs the others one poll an interval at most, and no series", async () => {
    const lying = await run(lie);
    for (const name of OTHERS) {
      const [calm, disturbed] = [pollsOf(honest, name), pollsOf(lying, name)];
      expect(disturbed.rest, name).toBe(calm.rest);
      expect(disturbed.watched - calm.watched, name).toBeLessThanOrEqual((MINUTES * 60) / INTERVAL + 1);
      expect(lying.node(name).overlaps).toBe(0);
    }
    const [before, after] = [await seriesOf(honest), await seriesOf(lying)];
    expect(before.size).toBeGreaterThan(50);
    for (const [key, value] of before) expect(after.get(key), key).toBe(value);
    expect(lying.counted.defects).toEqual([]);
    expect(lying.counted.duplicates).toBe(0);
    const failures = [...(await lying.series())].filter(([key]) => key.startsWith("avax_poll_failures_total"));
    expect(failures.filter(([key, value]) => value > 0 && !key.includes(`node="${LIAR}"`))).toEqual([]);
  });
});

describe("a node that is replaced once", () => {
  it("is observed under its new ID at once", async () => {
    const bench = await run((node, second) => {
      if (second === 0) node.nodeId = "NodeID-new";
    });
    const first = bench.node("n3").asked.find(({ params }) => params.includes("NodeID-new"));
    const answered = bench.node(LIAR).asked[0];
    expect(first?.at).toBeLessThan((answered?.at ?? NaN) + 2);
  });
});
