import { expect, it, vi } from "vitest";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { createLogger } from "../../../src/daemon/logger.ts";
import { findValidators } from "../../../src/diagnosis/validator/find-validators.ts";
import { everySecond } from "../../../src/daemon/scheduler.ts";
import { loadRecording } from "../../e2e/support/recording.ts";
import { startRecordingServer } from "../../e2e/support/recording-server.ts";
import { createCleanup } from "../../support/create-cleanup.ts";

/** A validator that joined minutes ago, and another node that observed it at 71.9572 % since 1795258180. */
const YOUNG = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";
const [START, END] = [1_795_258_180, 1_795_430_979];

it("a recorded validator has the figures of the recordings", async () => {
  const cleanup = createCleanup();
  const [node] = defaultConfig().nodes;
  if (node === undefined) throw new Error("no node");
  try {
    const nodes = [];
    for (const name of ["local-healthy-validator", "local-young-validator"]) {
      const server = await startRecordingServer(loadRecording(name));
      cleanup.add(server.close);
      nodes.push({ ...node, name, url: server.url, network: "local" });
    }
    const log = createLogger("error", "logfmt", () => undefined);
    const config = { ...defaultConfig(), nodes, endpoints: { "platform.getCurrentValidators.watched": { every: 1 } } };
    const about = { version: "1", revision: "r", nodeVersion: "v", exporterMetrics: false };
    const daemon = createDaemon({ config, log, ...about });
    const scheduler = everySecond(daemon.poller.tick, log);
    cleanup.add(() => daemon.poller.close());
    cleanup.add(() => Promise.resolve(scheduler.stop()));
    daemon.poller.tick();
    const view = await vi.waitUntil(
      async () => {
        const [found] = findValidators(await daemon.validators(), "local-young-validator", undefined);
        const observers = found?.stakes[0]?.observers ?? [];
        return observers.some(({ isSelf }) => !isSelf) && found?.stakes[0]?.own !== undefined ? found : undefined;
      },
      { timeout: 20_000, interval: 100 },
    );
    const [stake] = view.stakes;
    expect(view).toMatchObject({ nodeId: YOUNG, network: "local", name: "local-young-validator" });
    expect(stake).toMatchObject({
      subnet: "primary",
      start: START,
      end: END,
      own: 2_000,
      potentialReward: 1.089817626,
      requirement: 0.8,
      wholeBudget: 34_559.8,
    });
    const other = stake?.observers.find(({ isSelf }) => !isSelf);
    expect(other).toMatchObject({ node: "local-healthy-validator", uptime: 0.719572, connected: true });
    const at = view.at;
    const budget = 0.719572 * (at - START) + (END - at) - 0.8 * (END - START);
    expect(Math.abs((other?.budget ?? NaN) - budget)).toBeLessThan(10);
  } finally {
    await cleanup.run();
  }
});
