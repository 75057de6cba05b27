import { describe, expect, it } from "vitest";
import { PlatformHeight } from "../../../src/api/node/platform.ts";
import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { createPublisher } from "../../../src/poller/node/publisher.ts";
import { nodeKey, type Network, type NodeTarget, type State } from "../../../src/poller/node/state.ts";
import type { Reader } from "../../../src/poller/poll/reader.ts";
import { createStore } from "../../../src/poller/poll/store.ts";
import { OwnRecords } from "../../../src/topics/exporter/poll-record.ts";
import { contextOf } from "../../support/topics.ts";

const catalogue = catalogueOf(TOPICS);
const comparisonTopics = catalogue.topics.filter(({ scope }) => scope === "comparison");

/** A network of two nodes, and a reader whose comparisons end when the test says so. */
function world() {
  const members = ["a", "b"].map(
    (name) =>
      ({
        config: { name },
        identity: { networkName: "local" },
        facts: contextOf({ node: name }),
        polls: new Map(),
        tallies: new Map(),
      }) as unknown as NodeTarget,
  );
  const network: Network = {
    name: "local",
    members,
    reference: undefined,
    highest: 0,
    changed: "all",
    comparedAt: 0,
    comparedMembers: [],
  };
  const networks = new Map([["local", network]]);
  const state: State = {
    config: undefined,
    targets: new Map(),
    networks,
    remembered: new Map(),
    joining: 0,
    joinedAt: 0,
  };
  let running = false;
  const compared: string[] = [];
  const reader: Pick<Reader, "compare" | "isReading" | "read" | "hide"> = {
    isReading: () => running,
    compare: ({ id }) => {
      running = true;
      compared.push(id);
    },
    read: () => undefined,
    hide: () => undefined,
  };
  const store = createStore();
  const publisher = createPublisher(catalogue, "whole", state, store, reader as Reader);
  return {
    network,
    members,
    state,
    store,
    publisher,
    /** The topics of all comparisons. */
    compared,
    /** Comparisons of the network so far. */
    comparisons: () => compared.length / comparisonTopics.length,
    end: () => void (running = false),
  };
}

it("a comparison under way is not superseded by one of the same nodes, which follows when it has ended", () => {
  const { network, publisher, comparisons, end } = world();
  for (let now = 100; now < 110; now++) {
    network.changed = "all";
    publisher.comparisons(now);
  }
  expect(comparisons()).toBe(1);
  end();
  publisher.comparisons(110);
  expect(comparisons()).toBe(2);
});

it("a comparison of other nodes, and one at once, supersede the one under way", () => {
  const { network, publisher, comparisons } = world();
  publisher.comparisons(100);
  network.changed = "all";
  network.members = network.members.slice(0, 1);
  publisher.comparisons(101);
  expect(comparisons()).toBe(2);
  network.changed = "all";
  publisher.comparisons(101, true);
  expect(comparisons()).toBe(3);
});

it("compares only by the topics that use a new answer", () => {
  const { network, publisher, compared, end } = world();
  publisher.comparisons(100);
  end();
  compared.length = 0;
  const [member] = network.members;
  if (member === undefined) throw new Error("the network has no member");
  publisher.refresh(member, PlatformHeight, true);
  publisher.comparisons(200);
  expect(compared).toContain("lag");
  expect(compared).not.toContain("disagreement");
  expect(compared.length).toBeLessThan(comparisonTopics.length);
  end();
  compared.length = 0;
  publisher.comparisons(300);
  expect(compared).toEqual([]);
});

describe("the record of a node's polls", () => {
  /** Seconds at which the record is published when a poll ends each second. */
  function publishedAt(nodes: number, isNews: (second: number) => boolean): readonly number[] {
    const { publisher, state, store, members } = world();
    const [target] = members;
    if (target === undefined) throw new Error("the network has no member");
    for (let each = 0; each < nodes; each++) state.targets.set(`node-${each}`, target);
    const published: number[] = [];
    for (let second = 0; second < 12; second++) {
      publisher.recordSoon(target, 1000 + second, isNews(second));
      if (store.get(nodeKey(target.config.name), OwnRecords)?.answeredAt === 1000 + second) published.push(second);
    }
    return published;
  }

  it("of a few nodes is published after each poll", () => {
    expect(publishedAt(10, () => false)).toHaveLength(12);
  });

  it("of more nodes is published every five seconds, and at once when it says more than that one more poll succeeded", () => {
    expect(publishedAt(11, () => false)).toEqual([0, 5, 10]);
    expect(publishedAt(100, (second) => second === 3)).toEqual([0, 3, 8]);
  });

  it("of very many nodes is published at a limited rate, whatever it says", () => {
    expect(publishedAt(1200, () => true)).toEqual([0, 6]);
  });
});
