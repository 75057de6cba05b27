import { expect, it } from "vitest";
import { keyedEndpoint } from "../../../src/api/endpoint.ts";
import { createExposition } from "../../../src/exposition/exposition.ts";
import { Collector, type TopicView } from "../../../src/poller/poll/collector.ts";
import { Store } from "../../../src/poller/poll/store.ts";
import { TopicStates } from "../../../src/poller/poll/topic-states.ts";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { gauge, gauges } from "../../../src/topics/define/metric.ts";
import { comparingTopic, topic, type Topic } from "../../../src/topics/define/topic.ts";
import { contextOf } from "../../support/topics.ts";

const heights = keyedEndpoint<number>({
  id: "heights",
  about: "",
  scope: "node",
  every: 10,
  keys: () => ["C", "X"],
  ask: () => Promise.resolve(0),
});

const readHeights = topic(
  { id: "heights", about: "", scope: "node", needs: { heights } },
  {
    height: gauges("height", "", ["chain"], ({ heights: all }) =>
      [...all].map(([chain, height]) => [{ chain }, height]),
    ),
    oldest: gauge("oldest", "", (_data, { time }) => time),
    asked: gauge("asked", "", (_data, { asked }) => asked["heights"]),
  },
);

function collectorOf(read: Topic) {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const store = new Store();
  const exposition = createExposition(metricsOf(read));
  const events = { defect: () => undefined, duplicates: () => undefined };
  const collector = new Collector({ store, states: new TopicStates(log), exposition, log, events, shard: "" });
  return { store, exposition, collector };
}

function collecting() {
  const { store, exposition, collector } = collectorOf(readHeights);
  const view: TopicView = { facts: contextOf({ node: "a" }), target: "a", ownerOf: () => "a" };
  return {
    answer: (chain: string, value: number, at: number, until: number) =>
      store.put("a", heights, chain, { value, askedAt: at - 1, answeredAt: at, by: "a" }, until),
    read: async (now: number) => {
      collector.begin();
      collector.read(readHeights, view, now);
      collector.end();
      const text = String(await exposition.scrape({ format: "text", gzip: false }));
      return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    },
  };
}

it("exports the answers that count, with the times of the oldest of them, and nothing without one", async () => {
  const { answer, read } = collecting();
  const labels = 'node="a",network="local"';
  answer("X", 7, 100, 130);
  answer("C", 5, 110, 140);
  expect(await read(111)).toEqual([
    `height{${labels},chain="C"} 5`,
    `height{${labels},chain="X"} 7`,
    `oldest{${labels}} 100`,
    `asked{${labels}} 99`,
  ]);
  answer("C", 6, 120, 150);
  expect(await read(121)).toContain(`height{${labels},chain="C"} 6`);
  expect(await read(130)).toEqual([`height{${labels},chain="C"} 6`, `oldest{${labels}} 120`, `asked{${labels}} 119`]);
  expect(await read(150)).toEqual([]);
});

const compareHeights = comparingTopic(
  {
    id: "highest",
    about: "",
    needs: { heights },
    start: () => -1,
    compare: (_state: number, { members }) =>
      Math.max(...members.flatMap(({ answers }) => [...(answers.heights?.values() ?? [])].map(({ value }) => value))),
  },
  { highest: gauge("highest", "", ({ state }) => state) },
);

it("compares new answers when that is due, and other nodes at once", () => {
  const { answer, compare } = comparing();
  answer("a", 5);
  expect(compare({ isDue: false }, "a")).toBe(5);
  answer("a", 6);
  expect(compare({ isDue: false }, "a")).toBe(5);
  expect(compare({ isDue: true }, "a")).toBe(6);
  answer("b", 7);
  expect(compare({ isDue: false }, "a")).toBe(6);
  expect(compare({ isDue: false }, "a", "b")).toBe(7);
});

/** Compares the heights of nodes. */
function comparing() {
  const { store, exposition, collector } = collectorOf(compareHeights);
  const factsOf = new Map(["a", "b"].map((node) => [node, contextOf({ node })]));
  return {
    answer: (node: string, value: number) =>
      store.put(node, heights, "C", { value, askedAt: 1, answeredAt: 1, by: node }, Infinity),
    compare: ({ isDue }: { readonly isDue: boolean }, ...names: readonly string[]) => {
      const nodes = names.flatMap((node): readonly TopicView[] => {
        const facts = factsOf.get(node);
        return facts === undefined ? [] : [{ facts, target: node, ownerOf: () => node }];
      });
      const answersOf = () => names.map((node) => store.all(node, heights, 2));
      const compared = { target: "network", nodes, reference: undefined, keep: () => true, isDue, answersOf };
      collector.begin();
      collector.compare(compareHeights, compared, 2);
      collector.end();
      return exposition.readings("highest")[0]?.value;
    },
  };
}
