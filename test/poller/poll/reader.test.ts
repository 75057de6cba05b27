import { expect, it } from "vitest";
import { createExposition } from "../../../src/exposition/exposition.ts";
import { gauge } from "../../../src/topics/define/metric.ts";
import { comparingTopic } from "../../../src/topics/define/topic.ts";
import { createReader, type View } from "../../../src/poller/poll/reader.ts";
import { createStore } from "../../../src/poller/poll/store.ts";
import { createTopicStates } from "../../../src/poller/poll/topic-states.ts";
import { contextOf } from "../../support/topics.ts";
import { workingClock } from "../../support/working-clock.ts";

/** A topic whose comparison has two steps, each of which fills a time slice. */
function slowTopic(id: string, work: () => void) {
  return comparingTopic(
    {
      id,
      about: "How many nodes were compared, how often, and when?",
      needs: {},
      start: () => 0,
      compare(count: number, { members }) {
        work();
        if (members.length > 8) throw new Error("too many");
        work();
        return count + 1;
      },
    },
    {
      nodes: gauge(`avax_${id}_nodes`, "", ({ members }) => members.length),
      times: gauge(`avax_${id}_times`, "", ({ state }) => state),
      at: gauge(`avax_${id}_at`, "", (_, { times }) => times["compared"]),
    },
  );
}

function world() {
  const { clock, work, turn } = workingClock(100);
  const topics = ["a", "b"].map((id) => slowTopic(id, () => work(1)));
  const [a, b] = topics as [(typeof topics)[0], (typeof topics)[0]];
  const families = topics.flatMap(({ metrics }) => Object.values(metrics)).map(({ name }) => name);
  const exposition = createExposition(families.map((name) => ({ name, help: "", type: "gauge" })));
  const failed: string[] = [];
  const events = {
    defect: (_place: string, topic: string) => void failed.push(topic),
    duplicates: () => undefined,
  };
  const silent = () => undefined;
  const error = (data: object) => void failed.push(JSON.stringify(data));
  const log = { debug: silent, info: silent, warn: silent, error };
  const reader = createReader(createStore(), exposition, clock, log, events, createTopicStates(log));
  const view: View = { facts: contextOf(), target: "a", ownerOf: () => undefined };
  return {
    a,
    b,
    reader,
    failed,
    nodes: (count: number) => Array.from({ length: count }, () => view),
    turn,
    shown: () => families.flatMap((name) => exposition.lines(name).map((line) => line().trim())),
  };
}

it("a comparison that fills a slice delays the next one, which uses the state at its own start", () => {
  const { a, b, reader, nodes, turn, shown } = world();
  reader.compare(a, "network", nodes(2));
  reader.compare(b, "network", nodes(2));
  expect([shown(), reader.idle()]).toEqual([[], false]);
  for (let round = 0; round < 8; round++) turn();
  expect(shown()).toEqual([
    'avax_a_nodes{network="local"} 2',
    'avax_a_times{network="local"} 1',
    'avax_a_at{network="local"} 100',
    'avax_b_nodes{network="local"} 2',
    'avax_b_times{network="local"} 1',
    'avax_b_at{network="local"} 102',
  ]);
  expect(reader.idle()).toBe(true);
});

it("only the later one of two waiting comparisons is made", () => {
  const { a, b, reader, nodes, turn, shown } = world();
  reader.compare(a, "network", nodes(2));
  reader.compare(b, "network", nodes(2));
  reader.compare(b, "network", nodes(3));
  for (let round = 0; round < 8; round++) turn();
  expect(shown().filter((line) => line.includes("_b_"))).toEqual([
    'avax_b_nodes{network="local"} 3',
    'avax_b_times{network="local"} 1',
    'avax_b_at{network="local"} 102',
  ]);
});

it("a network that is removed before its comparison has no series, and neither has one without nodes", () => {
  const { a, b, reader, nodes, turn, shown } = world();
  reader.compare(a, "network", nodes(2));
  reader.compare(b, "gone", nodes(2));
  reader.forget("gone");
  for (let round = 0; round < 8; round++) turn();
  expect(shown().filter((line) => line.includes("_b_"))).toEqual([]);
  reader.compare(a, "network", nodes(0));
  expect(shown()).toEqual([]);
});

it("a comparison that throws is a defect of its topic alone, and removes the series of it", () => {
  const { a, b, reader, failed, nodes, turn, shown } = world();
  reader.compare(a, "network", nodes(2));
  reader.compare(b, "network", nodes(2));
  for (let round = 0; round < 8; round++) turn();
  reader.compare(a, "network", nodes(9));
  for (let round = 0; round < 8; round++) turn();
  expect(failed).toEqual(['{"topic":"a","metric":"compare","err":{}}', "a"]);
  expect(shown()).toEqual([
    'avax_b_nodes{network="local"} 2',
    'avax_b_times{network="local"} 1',
    'avax_b_at{network="local"} 102',
  ]);
  reader.compare(a, "network", nodes(4));
  for (let round = 0; round < 8; round++) turn();
  expect(shown().slice(0, 2)).toEqual(['avax_a_nodes{network="local"} 4', 'avax_a_times{network="local"} 2']);
});
