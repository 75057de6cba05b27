import { fork, type ChildProcess, type ForkOptions } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { defaultConfig } from "../src/config/default-config.ts";
import type { Config } from "../src/config/config.ts";
import type { Simulation, SimulatorOptions } from "../simulator/simulate.ts";
import { startLimits, startVariables } from "./limits.ts";
import type { Cost, Kept, Question, Ready } from "./daemon.ts";

export type NetworkProcess = Pick<Simulation, "nodes" | "subnets"> & { readonly close: () => Promise<void> };

/** Low priority: the network's work is another machine's, and on few cores it would delay the daemon. */
const LOW_PRIORITY = { execPath: "nice", execArgv: ["-n", "19", process.execPath, ...process.execArgv] };

/** Starts a simulated network in another process. */
export async function startNetwork(options: SimulatorOptions): Promise<NetworkProcess> {
  const child = start("network.ts", [JSON.stringify(options)], LOW_PRIORITY);
  const network = await nextMessage<Pick<Simulation, "nodes" | "subnets">>(child);
  return { ...network, close: () => ended(child) };
}

type DaemonProcess = Ready & {
  readonly pid: number | undefined;
  /** The cost since the last question, or since the first round. */
  readonly cost: () => Promise<Cost>;
  readonly kept: () => Promise<Kept>;
  readonly apply: (config: Config) => Promise<void>;
  /** Starts or stops the timers that measure delays. */
  readonly clocked: (clocked: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The cache that the program uses too: without it each process holds the compiler that strips types. */
const COMPILED = join(import.meta.dirname, "../node_modules/.cache/compiled");

/** Starts a daemon in another process; resolves when its first round of polls is complete. */
export async function startDaemon(config: Config, options: ForkOptions = {}): Promise<DaemonProcess> {
  const env = { ...process.env, ...startVariables(), NODE_COMPILE_CACHE: COMPILED };
  const child = start("daemon.ts", [], { env, execArgv: [...startLimits()], ...options });
  child.send(config);
  const ready = await nextMessage<Ready>(child);
  const asked = <T>(question: Question): Promise<T> => {
    child.send(question);
    return nextMessage<T>(child);
  };
  return {
    ...ready,
    pid: child.pid,
    cost: () => asked<Cost>("cost"),
    kept: () => asked<Kept>("kept"),
    apply: (next) => asked<void>({ apply: next }),
    clocked: (clocked) => asked<void>({ clocked }),
    close: () => ended(child),
  };
}

/** The default configuration with these nodes. */
export function configOf(nodes: ReadonlyArray<{ readonly name: string; readonly url: string }>): Config {
  const config = defaultConfig();
  const [node] = config.nodes;
  if (node === undefined) throw new Error("the default configuration has no node");
  return { ...config, nodes: nodes.map(({ name, url }) => ({ ...node, name, url })) };
}

export function start(file: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
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

export async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}
