import { existsSync, openSync, readSync } from "node:fs";
import { createHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createDaemon } from "../src/daemon/daemon.ts";
import { createLogger } from "../src/daemon/logger.ts";
import type { Config } from "../src/config/config.ts";
import { startServer } from "../src/http/server/server.ts";
import { createFreeing, ownHeap } from "../src/runtime/heap.ts";
import { everySecond } from "../src/daemon/scheduler.ts";
import { cpuMs, pause } from "./measure.ts";

/** A process with a daemon that measures its cost. Started by processes.ts. */

/** Interval of the timer, milliseconds. Measured delays include it. */
const RESOLUTION_MS = 1;

/** The cost of the daemon between two questions. Milliseconds and bytes. */
export type Cost = {
  readonly wall: number;
  readonly cpu: number;
  /** Delays of a timer, its resolution included. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /**
   * Busy time of the event loop between two calls of the timer: with garbage collection, without the time in which the core ran
   * other processes. CPU time does not measure that: the system counts it in ticks of some milliseconds.
   */
  readonly heldP99: number;
  readonly heldMax: number;
  readonly resident: number;
  /** Bytes of the heap in use, garbage included. */
  readonly heap: number;
  readonly series: number;
};

/** Heap bytes after a garbage collection, and the names of all series. */
export type Kept = { readonly heap: number; readonly series: readonly string[] };

/**
 * A request to the process: its cost since the last question, its heap, another configuration, or to start and stop the timers that
 * measure delays. They wake the process a thousand times a second, which is 3 to 4 % of a core: they stand still while CPU is measured.
 */
export type Question = "cost" | "kept" | { readonly apply: Config } | { readonly clocked: boolean };

export type Ready = { readonly address: string; readonly firstRound: Cost };

async function serve(config: Config): Promise<void> {
  const timers = createTimers();
  timers.start();
  let since = { wall: performance.now(), cpu: cpuMs() };
  const log = createLogger("warn", "logfmt", (line) => void process.stderr.write(line));
  const about = { version: "0", revision: "bench", nodeVersion: process.version };
  // As `run` does: findings are evaluated in the background, and memory is given back.
  const freeing = createFreeing(ownHeap());
  const daemon = createDaemon({ config, log, ...about, exporterMetrics: true, watching: true, freeing });
  const round = { done: false };
  const cost = (): Cost => {
    const now = { wall: performance.now(), cpu: cpuMs() };
    const used = { wall: now.wall - since.wall, cpu: now.cpu - since.cpu };
    since = now;
    return {
      ...used,
      ...timers.delays(),
      resident: process.memoryUsage.rss(),
      heap: process.memoryUsage().heapUsed,
      series: daemon.exposition.series(),
    };
  };
  const server = await startServer(
    { listen: "127.0.0.1:0" },
    {
      metrics: daemon.metrics,
      selectable: daemon.selectable,
      status: daemon.poller.status,
      diagnosis: daemon.doctor.diagnosis,
      alertGroups: daemon.alertGroups,
      history: daemon.history,
      validators: daemon.validators,
      ready: () => ({ ready: round.done, why: "" }),
      reload: () => Promise.resolve({ ok: false, message: "" }),
      maskedConfig: () => "",
      fleet: daemon.fleet,
      probe: daemon.probe,
      modules: daemon.modules,
      about: { version: "0", revision: "bench", telemetryPath: "/metrics" },
      log,
    },
  );
  process.on("message", (question: Question) => {
    if (question === "cost") process.send?.(cost());
    else if (question === "kept") void kept(daemon).then((answer) => process.send?.(answer));
    else {
      if ("apply" in question) daemon.poller.apply(question.apply);
      else if (question.clocked) timers.start();
      else timers.stop();
      process.send?.(null);
    }
  });
  process.once("disconnect", () => process.exit(0));
  everySecond(daemon.poller.tick, log);
  // The start of the process is not part of the cost; `npm run bench start` measures it.
  await pause(0);
  timers.start();
  daemon.poller.tick();
  await daemon.poller.firstRound();
  round.done = true;
  process.send?.({ address: server.address, firstRound: cost() } satisfies Ready);
}

type Delays = Pick<Cost, "p50" | "p99" | "max" | "heldP99" | "heldMax">;

/** The timers that measure delays. `start` forgets what was measured before. */
function createTimers(): { readonly start: () => void; readonly stop: () => void; readonly delays: () => Delays } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const held = createHistogram();
  const waited = createWaited();
  // The soak's fast clock takes it away.
  const isMeasured = typeof performance.eventLoopUtilization === "function";
  const called = () => ({ loop: isMeasured ? performance.eventLoopUtilization() : undefined, waited: waited() });
  let last = called();
  let timer: NodeJS.Timeout | undefined;

  function forget(): void {
    delay.reset();
    held.reset();
  }

  function record(): void {
    const now = called();
    if (now.loop === undefined) return;
    const { active } = performance.eventLoopUtilization(now.loop, last.loop);
    held.record(Math.max(1, Math.round((active - (now.waited - last.waited)) * 1000)));
    last = now;
  }

  return {
    start() {
      forget();
      delay.enable();
      last = called();
      timer ??= setInterval(record, RESOLUTION_MS).unref();
    },
    stop() {
      delay.disable();
      clearInterval(timer);
      timer = undefined;
    },
    delays() {
      const [p50, p99, max] = [delay.percentile(50) / 1e6, delay.percentile(99) / 1e6, delay.max / 1e6];
      const [heldP99, heldMax] = [held.percentile(99) / 1000, held.max / 1000];
      forget();
      return { p50, p99, max, heldP99, heldMax };
    },
  };
}

/** Milliseconds in which this thread was ready but others ran on the core; 0 where the system does not report it. */
function createWaited(): () => number {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  if (!existsSync(file)) return () => 0;
  const [opened, text] = [openSync(file, "r"), Buffer.alloc(64)];
  return () => Number(text.toString("latin1", 0, readSync(opened, text, 0, 64, 0)).split(" ")[1]) / 1e6;
}

async function kept({ metrics }: ReturnType<typeof createDaemon>): Promise<Kept> {
  const { chunks } = await metrics({ accept: undefined, acceptEncoding: undefined, only: undefined });
  const text = Buffer.concat(chunks).toString();
  // The process's own metrics get series on events.
  const series = [...text.matchAll(/^(avax_(?!exporter_)[a-z0-9_]+(?:\{.*\})?) \S+$/gm)].map(([, name = ""]) => name);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // The second collection frees what finalisers released.
  collect();
  collect();
  return { heap: process.memoryUsage().heapUsed, series };
}

// A thousand nodes are too long for an argument.
process.once("message", (config) => void serve(config as Config));
