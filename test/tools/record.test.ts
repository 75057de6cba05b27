import { afterEach, expect, it } from "vitest";
import { configSchema } from "../../src/config/schema/config-schema.ts";
import { record } from "../../tools/record.ts";
import { loadRecording, type Recording } from "../e2e/support/recording.ts";
import { questionOf, startRecordingServer } from "../e2e/support/recording-server.ts";
import { createCleanup } from "../support/create-cleanup.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

const SOURCE = loadRecording("local-healthy-validator");
const { ids } = SOURCE;
const CONFIG = configSchema.parse({
  nodes: [{ name: "node", url: "http://127.0.0.1:9650" }],
  subnets: [
    { id: ids["S1"], name: "s1", chains: [{ id: ids["S1_CHAIN"], name: "perm1", evm: true }] },
    { id: ids["S2"], name: "s2", chains: [{ id: ids["S2_CHAIN"], name: "l1one", evm: true }] },
  ],
});

async function recordedAgain(replace: ReadonlyMap<string, string> = new Map(), config = CONFIG): Promise<Recording> {
  const server = await startRecordingServer(SOURCE);
  cleanup.add(server.close);
  const { answers } = await record({
    url: server.url,
    name: "again",
    about: "A copy.",
    config,
    replace,
    wait: () => Promise.resolve(),
  });
  return { ...(JSON.parse(answers) as Recording), name: "again" };
}

const asked = ({ request: { method, path, body = "" } }: Recording["answers"][number]) =>
  JSON.stringify(questionOf(method, path, body)).replace('"params":[]', '"params":{}');

it("has what the node answers to each request of the exporter, by the names of the other recordings", async () => {
  const again = await recordedAgain();
  expect(again.version).toBe(SOURCE.version);
  expect(again.ids).toMatchObject({
    S1: ids["S1"],
    S2_CHAIN: ids["S2_CHAIN"],
    NODE_ID: again.answers[0]?.response.headers["node-id"],
  });
  const sourceNames = Map.groupBy(SOURCE.answers, asked);
  const repeated = again.answers.flatMap((each) => {
    const found = sourceNames.get(asked(each));
    return found === undefined ? [] : [[each, found] as const];
  });
  for (const [{ name, response }, found] of repeated) {
    // The sources number their nodes: `one-node1`.
    expect(found.map((each) => each.name.slice(0, name.length))).toContain(name);
    expect(found.map((each) => each.response.body)).toContain(response.body);
  }
  expect(repeated.map(([{ name }]) => name)).toEqual(
    expect.arrayContaining([
      ...["health.get", "health.get.tag-s1", "health.rpc.health.tag-s2", "info.peers", "info.getBlockchainID.C"],
      ...["evm.eth_getBlockByNumber.latest", "evm.l1one.eth_getBlockByNumber", "evm.txpool_status"],
      ...["platform.getCurrentValidators.primary", "platform.getCurrentValidators.one-node", "info.uptime.subnet-s1"],
      ...["admin.getVMConfig.spec-spelling", "http.unknown-path", "http.info.unknown-method"],
    ]),
  );
});

it("shows nowhere what is replaced, with IDs of the same kind", async () => {
  const nodeId = SOURCE.answers[0]?.response.headers["node-id"] ?? "";
  const again = await recordedAgain(
    new Map([
      [nodeId, ""],
      [ids["S1"] ?? "", "other"],
    ]),
  );
  expect(JSON.stringify(again)).not.toContain(nodeId);
  expect(JSON.stringify(again)).not.toContain(ids["S1"]);
  expect(again.ids["NODE_ID"]).toMatch(/^NodeID-[1-9A-HJ-NP-Za-km-z]{30,}$/);
  expect(again.ids["S1"]).toBe("other");
});
