import { describe, expect, it, vi } from "vitest";
import { writeConfig } from "./support/daemon.ts";
import { seriesKey } from "./support/exposition.ts";
import { daemonFor, daemonWith, deadPort, failureOf, folder, serverOf, value, WITHIN } from "./support/harness.ts";
import { answer, loadRecording } from "./support/recording.ts";
import type { Question } from "./support/recording-server.ts";

const FRESH = loadRecording("local-fresh-network");
const HEALTHY = loadRecording("custom-helicon-active");

describe("an address without an Avalanche node", () => {
  it("starts when nothing listens there, reports it, and recovers by itself", async () => {
    const port = await deadPort();
    const daemon = await daemonFor(`http://127.0.0.1:${port}`);
    expect((await failureOf(daemon))?.reason).toBe("refused");
    expect(await value(daemon, "avax_node_up")).toBe(0);
    expect(await value(daemon, "avax_node_configured")).toBe(1);
    expect(await value(daemon, "avax_node_healthy")).toBeUndefined();
    expect(await value(daemon, "avax_poll_failures_total", { node: "a", reason: "refused" })).toBeGreaterThan(0);
    expect(await (await daemon.get("/")).text()).toContain("nothing listens at the address");

    await serverOf(FRESH, { port });
    await vi.waitFor(async () => expect(await value(daemon, "avax_node_healthy")).toBe(1), WITHIN);
    // All endpoints are polled at once when a node comes back, slow ones too.
    await vi.waitFor(
      async () =>
        expect(
          (await daemon.metrics()).has(seriesKey("avax_validators", { network: "local", subnet: "primary" })),
        ).toBe(true),
      WITHIN,
    );
    expect(await value(daemon, "avax_node_up")).toBe(1);
    expect(await value(daemon, "avax_validators", { network: "local", subnet: "primary" })).toBe(5);
  });
});

describe("a watched validator", () => {
  // The daemon polls its watch list before it knows the node's identity, and the node itself at the next poll.
  it("is polled as soon as it is known", async () => {
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
});

describe("a server that ignores `nodeIDs`", () => {
  it("does not get series of validators that are not watched", async () => {
    const whole = answer(HEALTHY, "platform.getCurrentValidators.primary").response.body;
    const { url } = await serverOf(HEALTHY, {
      twist: ({ rpc }, reply) => (rpc?.method === "platform.getCurrentValidators" ? { ...reply, body: whole } : reply),
    });
    const daemon = await daemonFor(url);
    await vi.waitUntil(() => daemon.isReady(), WITHIN);
    const rows = [...(await daemon.metrics()).values()].filter(({ name }) => name === "avax_validator_connected");
    expect(rows.map(({ labels }) => labels["node_id"])).toEqual(["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"]);
  });
});
