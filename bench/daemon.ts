import { createHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { createDaemon } from "../src/cli/daemon.ts";
import { createLogger } from "../src/cli/logger.ts";
import type { Config } from "../src/config/config.ts";
import { startServer } from "../src/http/server.ts";
import { everySecond } from "../src/poller/scheduler.ts";
import { cpuMs } from "./measure.ts";

/** A process with a daemon in it that tells what it costs. Started by processes.ts. */

/** Milliseconds. The timer fires this much after the last one: a delay includes it, and every figure is as measured. */
const RESOLUTION_MS = 5;

/** What the daemon cost between two questions. Milliseconds and bytes. */
export type Cost = {
  readonly wall: number;
  readonly cpu: number;
  /** Delays of a timer, its resolution included. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /**
   * CPU of the main thread between two calls of such a timer: what the daemon itself holds up, whatever else this machine
   * does meanwhile.
   */
  readonly busyP99: number;
  readonly busyMax: number;
  readonly resident: number;
  readonly series: number;
};

export type Ready = { readonly address: string; readonly firstRound: Cost };

async function serve(config: Config): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const busy = createHistogram();
  let usage = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(usage);
    usage = process.threadCpuUsage();
    busy.record(Math.max(1, Math.round(user + system)));
  }, RESOLUTION_MS).unref();
  let since = { wall: performance.now(), cpu: cpuMs() };
  const log = createLogger("warn", "logfmt", (line) => void process.stderr.write(line));
  const about = { version: "0", revision: "bench", nodeVersion: process.version };
  const daemon = createDaemon({ config, log, ...about, exporterMetrics: true });
  const round = { done: false };
  const cost = (): Cost => {
    const now = { wall: performance.now(), cpu: cpuMs() };
    const [p50, p99, max] = [delay.percentile(50) / 1e6, delay.percentile(99) / 1e6, delay.max / 1e6];
    const used = { wall: now.wall - since.wall, cpu: now.cpu - since.cpu };
    const [busyP99, busyMax] = [busy.percentile(99) / 1000, busy.max / 1000];
    since = now;
    delay.reset();
    busy.reset();
    return {
      ...used,
      p50,
      p99,
      max,
      busyP99,
      busyMax,
      resident: process.memoryUsage.rss(),
      series: daemon.exposition.series(),
    };
  };
  const server = await startServer(
    { listen: "127.0.0.1:0" },
    {
      metrics: daemon.metrics,
      status: daemon.engine.status,
      diagnosis: daemon.doctor.look,
      ready: () => ({ ready: round.done, why: "" }),
      reload: () => Promise.resolve({ ok: false, message: "" }),
      maskedConfig: () => "",
      about: { version: "0", revision: "bench", telemetryPath: "/metrics" },
      log,
    },
  );
  process.on("message", (message) => {
    if (message === "cost") process.send?.(cost());
  });
  process.once("disconnect", () => process.exit(0));
  everySecond(daemon.engine.tick, log);
  daemon.engine.tick();
  await daemon.engine.firstRound();
  round.done = true;
  process.send?.({ address: server.address, firstRound: cost() } satisfies Ready);
}

// A thousand nodes are too long for an argument.
process.once("message", (config) => void serve(config as Config));
