import { expect, it } from "vitest";
import { catalogueOf } from "../../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../../src/definitions/topics.ts";
import { createPublisher } from "../../../src/poller/node/publisher.ts";
import type { Network, NodeTarget, State } from "../../../src/poller/node/state.ts";
import type { Reader } from "../../../src/poller/poll/reader.ts";
import { createStore } from "../../../src/poller/poll/store.ts";
import { contextOf } from "../../support/topics.ts";

/** A network of two nodes, and a reader whose comparisons end when the test says so. */
function world() {
  const members = ["a", "b"].map((node) => ({ facts: contextOf({ node }), polls: new Map() }) as unknown as NodeTarget);
  const network: Network = {
    name: "local",
    members,
    reference: undefined,
    highest: 0,
    changed: true,
    comparedAt: 0,
    comparedMembers: [],
  };
  const networks = new Map([["local", network]]);
  const state: State = { config: undefined, targets: new Map(), networks, remembered: new Map(), joining: 0 };
  let running = false;
  let begun = 0;
  const reader: Pick<Reader, "compare" | "isReading"> = {
    isReading: () => running,
    compare: () => {
      running = true;
      begun++;
    },
  };
  const catalogue = catalogueOf(TOPICS);
  const publisher = createPublisher(catalogue, "whole", state, createStore(), reader as Reader);
  const topics = catalogue.topics.filter(({ scope }) => scope === "comparison").length;
  return {
    network,
    publisher,
    /** Comparisons of the network so far. */
    comparisons: () => begun / topics,
    end: () => void (running = false),
  };
}

it("a comparison under way is not superseded by one of the same nodes, which follows when it has ended", () => {
  const { network, publisher, comparisons, end } = world();
  for (let now = 100; now < 110; now++) {
    network.changed = true;
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
  network.changed = true;
  network.members = network.members.slice(0, 1);
  publisher.comparisons(101);
  expect(comparisons()).toBe(2);
  network.changed = true;
  publisher.comparisons(101, true);
  expect(comparisons()).toBe(3);
});
