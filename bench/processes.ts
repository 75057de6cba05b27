import { fork, type ChildProcess, type ForkOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Simulation, SimulatorOptions } from "../simulator/simulate.ts";
import type { Compression } from "../test/e2e/support/compression.ts";
import { startExporter, type Exporter } from "../test/faults/soak/exporter.ts";
import { until200 } from "./measure.ts";

type Nodes = Simulation["nodes"];

export type NetworkState = {
  readonly requests: readonly number[];
  readonly late: number;
  /** CPU of all threads so far, microseconds. */
  readonly cpu: number;
};

export type NetworkProcess = {
  readonly nodes: Nodes;
  /** HTTP requests that each node has got so far, and how late the network was since the last question: p99 of its event loop, milliseconds. */
  readonly state: () => Promise<NetworkState>;
  readonly close: () => Promise<void>;
};

/** Low priority: the network's work is another machine's, and on few cores it would delay the daemon. */
const LOW_PRIORITY = { execPath: "nice", execArgv: ["-n", "19", process.execPath, ...process.execArgv] };

/** Starts a simulated network in another process. */
export async function startNetwork(options: SimulatorOptions): Promise<NetworkProcess> {
  const child = startScript("network.ts", [JSON.stringify(options)], LOW_PRIORITY);
  const nodes = await nextMessage<Nodes>(child);
  return { nodes, state: () => asked<NetworkState>(child), close: () => ended(child) };
}

export type Daemon = Exporter & {
  /** Replaces the configuration file and reloads it. */
  readonly apply: (config: object) => Promise<void>;
};

/** What a configuration file says of these nodes. */
export function nodesOf(nodes: Nodes): ReadonlyArray<{ readonly name: string; readonly url: string }> {
  return nodes.map(({ name, url }) => ({ name, url }));
}

/** Writes a configuration (JSON is YAML) into a new folder. */
export function writeConfig(config: object): { readonly file: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "avax-bench-"));
  const file = join(folder, "config.yaml");
  writeFileSync(file, JSON.stringify(config));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

/**
 * Starts the program as `npm start` does; resolves when its first round of polls is complete.
 * @param clock a fast clock, if time is compressed
 * @throws Error when that takes longer than `most` milliseconds
 */
export async function startDaemon(config: object, most = 240_000, clock?: Compression): Promise<Daemon> {
  const { file, remove } = writeConfig(config);
  const exporter = await startExporter([`--config.file=${file}`], clock);
  const stop = async (): Promise<void> => {
    await exporter.stop();
    remove();
  };
  try {
    await until200(`${exporter.address}/-/ready`, most);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...exporter,
    stop,
    async apply(next) {
      writeFileSync(file, JSON.stringify(next));
      const { ok, status } = await fetch(`${exporter.address}/-/reload`, { method: "POST" });
      if (!ok) throw new Error(`the reload answered with ${status}`);
    },
  };
}

/** Starts a script of this folder with a channel. */
export function startScript(file: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
  return fork(join(import.meta.dirname, file), args, options);
}

/** The next message of a process; rejects when it ends before. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const abort = new AbortController();
  const { signal } = abort;
  const died = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.slice(1).join(" ").slice(0, 100)} ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, "message", { signal }), died])) as [T];
    return message;
  } finally {
    abort.abort();
    died.catch(() => undefined);
  }
}

/** What the process answers to a message. */
export function asked<T>(child: ChildProcess): Promise<T> {
  child.send("?");
  return nextMessage<T>(child);
}

export async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}
