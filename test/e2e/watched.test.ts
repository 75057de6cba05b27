import { expect, it, vi } from "vitest";
import { writeConfig } from "./support/daemon.ts";
import { daemonWith, folder, serverOf, value, WITHIN } from "./support/harness.ts";
import { loadRecording } from "./support/recording.ts";
import type { Question } from "./support/recording-server.ts";

const FRESH = loadRecording("local-fresh-network");

// The daemon polls its watch list before it knows the node's identity, and the node itself at the next poll.
it("a watched validator is polled as soon as it is known", async () => {
  const isWatched = ({ rpc }: Question) => rpc?.params["nodeIDs"] !== undefined;
  const first = Promise.withResolvers<undefined>();
  const server = await serverOf(FRESH, {
    hold: (question) => (isWatched(question) ? undefined : first.promise.then(() => undefined)),
  });
  void server.asked(isWatched).then(() => first.resolve(undefined));
  const node = { name: "a", url: server.url, network: "n", connections: 64 };
  const endpoints = { "platform.getCurrentValidators.watched": { every: "1h" } };
  const watch = { validators: ["NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu"] };
  const daemon = await daemonWith([
    `--config.file=${await writeConfig(await folder(), { nodes: [node], watch, endpoints })}`,
  ]);
  await vi.waitUntil(() => daemon.isReady(), WITHIN);
  const observed = (nodeId: string) =>
    value(daemon, "avax_validator_connected", { node: "a", network: "n", subnet: "primary", node_id: nodeId });
  expect(await observed("NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu")).toBe(1);
  await vi.waitFor(async () => expect(await observed("NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg")).toBe(1), WITHIN);
});
