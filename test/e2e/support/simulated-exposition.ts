import { demoConfig } from "../../../src/cli/demo.ts";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { createLogger } from "../../../src/daemon/create-logger.ts";
import { simulate } from "../../../simulator/simulate.ts";

/** What an exporter shows of a simulated network after one round of polls. */
export async function simulatedExposition(options: Partial<Parameters<typeof simulate>[0]>): Promise<string> {
  const simulation = await simulate({ port: 0, nodes: 2, hosted: true, slowSeconds: 0.1, ...options });
  const log = createLogger("error", "logfmt", () => undefined);
  const about = { version: "1", revision: "r", nodeVersion: "v" };
  const daemon = createDaemon({ config: demoConfig(simulation), log, ...about, exporterMetrics: true });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  const { chunks } = await daemon.metrics({ accept: "text/plain", acceptEncoding: undefined, only: undefined });
  await daemon.poller.close();
  await simulation.close();
  return Buffer.concat(chunks).toString();
}
