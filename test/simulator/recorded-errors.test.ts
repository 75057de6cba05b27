import { afterAll, beforeAll, expect, test } from "vitest";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { ask } from "./ask.ts";
import { recordingOf } from "../support/recordings.ts";
import { translated } from "./recordings.ts";

let simulation: Simulation;
beforeAll(async () => {
  simulation = await simulate({
    scenario: [
      { node: 2, name: "bootstrapping" },
      { node: 3, name: "not-a-validator" },
    ],
  });
});
afterAll(() => simulation.close());

const healthy = recordingOf("local-healthy-validator");
const named = (pattern: RegExp): string[] =>
  healthy.answers.map(({ name }) => name).filter((name) => pattern.test(name));

test.each([
  ...[
    ...named(/^http\./),
    "info.getBlockchainID.nosuch",
    "info.isBootstrapped.nosuch",
    "platform.getCurrentValidators.bad-node",
    "platform.getCurrentValidators.unknown-node",
    "platform.getBlockchainStatus.nosuch",
    "platform.getCurrentSupply.s1",
    "platform.getCurrentSupply.s2",
    "platform.getBalance.bad",
    "health.get.liveness",
    "health.rpc.liveness",
  ].map((name) => ["local-healthy-validator", name, 1] as const),
  ...[
    "platform.getHeight",
    "platform.getCurrentValidators.primary",
    "evm.eth_blockNumber",
    "info.uptime",
    "info.isBootstrapped.P",
  ].map((name) => ["custom-bootstrapping", name, 2] as const),
  ["custom-not-a-validator", "info.uptime", 3] as const,
])("%s: %s is answered byte for byte as recorded", async (file, name, node) => {
  const { ids, answers } = recordingOf(file);
  const recorded = answers.find((answer) => answer.name === name);
  if (recorded === undefined) throw new Error("not recorded");
  const { url, nodeId } = simulation.nodes[node - 1] ?? { url: "", nodeId: "" };
  const answer = await ask(url, translated(recorded, ids, simulation, { asked: nodeId, others: [] }));
  const framing = ["content-type", "location", "vary", "content-length"] as const;
  const chosen = (headers: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(framing.map((header) => [header, headers[header]]));
  expect(answer.body).toBe(recorded.response.body);
  expect(answer.status).toBe(recorded.response.status);
  expect(chosen(answer.headers)).toEqual(chosen(recorded.response.headers));
  expect(answer.headers["node-id"]).toBe(nodeId);
});

test.each(["not-json", "batch", "no-id", "get"])(
  "the path of the P-Chain handles %s like the info path",
  async (wrong) => {
    const recorded = healthy.answers.find(({ name }) => name === `http.info.${wrong}`);
    const answer = await ask(simulation.nodes[0]?.url ?? "", {
      method: "POST",
      ...recorded?.request,
      path: "/ext/bc/P",
    });
    expect(answer.body).toBe(recorded?.response.body);
  },
);
