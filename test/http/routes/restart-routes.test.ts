import { expect, it } from "vitest";
import { restartFacts } from "../../../src/diagnosis/restart/restart-facts.ts";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { withVerdicts } from "../../support/verdict-series.ts";
import { observed, NOW, STAKER } from "../../diagnosis/validator/samples.ts";
import { serving } from "../serving.ts";
import { readingsIn } from "../../support/readings.ts";

const { get: getFrom } = serving();

const QUORUM = ["avax_subnet_quorum_requirement_ratio", "avax_subnet_connected_weight_ratio"] as const;
/** A validator with 22 h 4 min of downtime left, and a node that has never answered. */
const LINES = [
  ...STAKER.map((line) =>
    line.replace("avax_validator_stake_avax", "avax_validator_active_weight_ratio").replace(/ 2000$/, " 0.01"),
  ),
  ...QUORUM.map((name, index) => `${name}{network="fuji",subnet="primary"} ${0.8 + index / 10}`),
  ...observed("other", 0.88),
  'avax_node_configured{node="<b>\\"new"} 1',
];

const facts = restartFacts(samplesOf(readingsIn(`${withVerdicts(LINES).join("\n")}\n`), NOW), true);
const get = (path: string) => getFrom(path, { restarts: () => Promise.resolve(facts) });

it.each([
  ["", 200, ["wait", "safe"], ["own"]],
  ["?down=20h", 200, ["wait", "safe"], ["own"]],
  ["?down=23h", 200, ["wait", "wait"], []],
  ["?node=own", 200, ["safe"], ["own"]],
] as const)("/api/v1/restart%s", async (query, status, states, first) => {
  const { status: is, text } = await get(`/api/v1/restart${query}`);
  const plan = JSON.parse(text) as { nodes: Array<{ state: string }>; batches: Array<{ nodes: string[] }> };
  expect([is, plan.nodes.map(({ state }) => state)]).toEqual([status, states]);
  expect(plan.batches[0]?.nodes ?? []).toEqual(first);
});

it.each([
  ["/api/v1/restart?node=nobody", 404, "no polled node has this name"],
  ["/api/v1/restart?down=soon", 400, "is not a duration"],
  ["/restart?down=soon", 400, "is not a duration"],
  ["/restart?down=23h", 200, "own has 22 h 4 min of downtime left: an outage of 23 h costs its reward."],
  ["/restart", 200, "<h1>1 of 2 nodes can be restarted now</h1>"],
  ["/restart", 200, "<bdi>&lt;b&gt;&quot;new</bdi>"],
])("%s answers %i", async (path, status, words) => {
  const reply = await get(path);
  expect(reply.status).toBe(status);
  expect(reply.text).toContain(words);
});
