import { expect, it, vi } from "vitest";
import { keyedEndpoint } from "../../../src/api/endpoint.ts";
import { createExposition } from "../../../src/exposition/exposition.ts";
import { Collector, type TopicView } from "../../../src/poller/poll/collector.ts";
import { Store } from "../../../src/poller/poll/store.ts";
import { TopicStates } from "../../../src/poller/poll/topic-states.ts";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { gauge, gauges } from "../../../src/topics/define/metric.ts";
import { topic } from "../../../src/topics/define/topic.ts";
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
      // A label that is no text is a defect of a topic, which fails when its line is written.
      [...all].map(([chain, height]) => [{ chain: height < 0 ? (null as never) : chain }, height]),
    ),
    oldest: gauge("oldest", "", (_data, { time }) => time),
    asked: gauge("asked", "", (_data, { asked }) => asked["heights"]),
  },
);

function collecting() {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const store = new Store();
  const exposition = createExposition(metricsOf(readHeights));
  const events = { defect: vi.fn(), duplicates: () => undefined };
  const collector = new Collector({ store, states: new TopicStates(log), exposition, log, events, shard: "" });
  const view: TopicView = { facts: contextOf({ node: "a" }), target: "a", ownerOf: () => "a" };
  return {
    defects: events.defect.mock.calls,
    answer: (chain: string, value: number, at: number, until: number) =>
      store.put("a", heights, chain, { value, askedAt: at - 1, answeredAt: at, by: "a" }, until),
    read: (now: number) => {
      collector.begin();
      collector.read(readHeights, view, now);
      collector.end();
      const text = String(exposition.scrape({ format: "text", gzip: false }));
      return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    },
  };
}

it("exports the answers that count, with the times of the oldest of them, and nothing without one", () => {
  const { answer, read } = collecting();
  const labels = 'node="a",network="local"';
  answer("X", 7, 100, 130);
  answer("C", 5, 110, 140);
  expect(read(111)).toEqual([
    `height{${labels},chain="C"} 5`,
    `height{${labels},chain="X"} 7`,
    `oldest{${labels}} 100`,
    `asked{${labels}} 99`,
  ]);
  answer("C", 6, 120, 150);
  expect(read(121)).toContain(`height{${labels},chain="C"} 6`);
  expect(read(130)).toEqual([`height{${labels},chain="C"} 6`, `oldest{${labels}} 120`, `asked{${labels}} 119`]);
  expect(read(150)).toEqual([]);
});

it("a metric whose lines cannot be written has none, and the others have theirs", () => {
  const { answer, read, defects } = collecting();
  answer("X", 7, 100, 160);
  expect(read(111)).toHaveLength(3);
  answer("X", -1, 120, 160);
  expect(read(121)).toEqual(['oldest{node="a",network="local"} 120', 'asked{node="a",network="local"} 119']);
  expect(defects).toEqual([["metric", "heights"]]);
});
