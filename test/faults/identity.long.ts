import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDaemon, writeConfig, type RunningDaemon } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import type { Player } from "../e2e/support/recording-server.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { lies } from "./rows/lies.ts";
import { simulatedNodes } from "./soak/simulated-node.ts";
import { send, startFaultServer, type Fault, type FaultServer } from "./support/fault-server.ts";
import { PACE } from "./support/row.ts";

/**
 * A node that lies about its identity beside seven others of the same network. The matrix gives each faulty node a network of its
 * own; here the others ask about the liar's validator, and it about theirs.
 */

const SIZE = { nodes: 8, validators: 20, peers: 10 };
const LIAR = 3;
const WATCHED = "platform.getCurrentValidators.watched";
/** Seconds between two polls, and for each lie. */
const EVERY = 2 * PACE;
const LASTS = 12 * PACE;

const nodes = simulatedNodes(SIZE, Date.now);
const others = nodes.filter((_, index) => index !== LIAR);

/** Answers with the IDs of the other nodes in turn. */
function copies(): Fault {
  let count = 0;
  return {
    answer: ({ reply, response }) => {
      const nodeId = others[count++ % others.length]?.nodeId ?? "";
      send(response, { ...reply, headers: { ...reply.headers, "node-id": nodeId } });
    },
  };
}

const ROWS = [
  "another-node-each-second",
  "another-node-each-answer",
  "node-id-proto",
  "node-id-long",
  "node-id-checksum",
  "another-network-each-second",
].map((id) => {
  const found = lies.rows.find((row) => row.id === id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
});
const LIES: ReadonlyArray<readonly [string, () => Fault]> = [
  ...ROWS.map(({ id, behave }) => [id, behave] as const),
  ["the-ids-of-the-others", copies],
];

const cleanup = createCleanup();
const servers: FaultServer[] = [];
/** Polls of each node about the watch list, so far. */
const asked = new Map<string, number>();
let daemon: RunningDaemon;

const counting =
  (name: string, play: Player): Player =>
  (method, target, body) => {
    if (body.includes("platform.getCurrentValidators") && body.includes("nodeIDs"))
      asked.set(name, (asked.get(name) ?? 0) + 1);
    return play(method, target, body);
  };

/** Endpoints of the nodes that tell the truth and are not well, and series about them that are missing. */
async function problems(): Promise<readonly string[]> {
  const [{ targets }, series] = await Promise.all([daemon.status(), daemon.metrics()]);
  const failing = targets
    .filter(({ name }) => name !== nodes[LIAR]?.name)
    .flatMap(({ name, endpoints }) =>
      endpoints
        .filter(({ state }) => state === "failing" || state === "waiting")
        .map(({ id, state, error }) => `${name} ${id} ${state} ${error?.message ?? ""}`),
    );
  const observed = new Map<string, number>();
  for (const { name, labels } of series.values()) {
    const { node_id: nodeId = "" } = labels;
    if (name === "avax_validator_connected") observed.set(nodeId, (observed.get(nodeId) ?? 0) + 1);
  }
  const lost = others.filter(({ nodeId }) => (observed.get(nodeId) ?? 0) === 0).map(({ name }) => `${name} unobserved`);
  return [...failing, ...lost];
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  for (const { name, play } of nodes) {
    const server = await startFaultServer(counting(name, play));
    cleanup.add(server.close);
    servers.push(server);
  }
  const file = await writeConfig(folder.path, {
    nodes: nodes.map(({ name }, index) => ({ name, url: servers[index]?.url })),
    endpoints: { [WATCHED]: { every: `${EVERY}s`, timeout: `${EVERY / 2}s` } },
  });
  daemon = await startDaemon([`--config.file=${file}`]);
  cleanup.add(daemon.child.stop);
  let found: readonly string[] = ["not polled yet"];
  for (let attempt = 0; attempt < 120 && found.length > 0; attempt++) {
    await after(500);
    found = await problems();
  }
  expect(found).toEqual([]);
});
afterAll(cleanup.run);

it.each(LIES)(
  "%s disturbs no other node of the network",
  async (_id, behave) => {
    asked.clear();
    await servers[LIAR]?.begin(behave());
    const began = Date.now();
    const seen = new Set<string>();
    while (Date.now() - began < LASTS * 1000) {
      await after(500);
      for (const problem of await problems()) seen.add(problem);
    }
    const passed = (Date.now() - began) / 1000;
    await servers[LIAR]?.end();
    expect([...seen]).toEqual([]);
    // One poll an interval, one more that came early, and one for where the time begins.
    const most = 2 * (passed / EVERY + 1);
    for (const { name } of others) {
      expect(asked.get(name), name).toBeGreaterThanOrEqual(Math.floor(passed / EVERY) - 1);
      expect(asked.get(name), name).toBeLessThanOrEqual(most);
    }
    await after(3_000 * PACE);
  },
  60_000 * PACE,
);
