import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startLimits } from "../../../bench/limits.ts";
import { startChild, written, type Child } from "./child.ts";
import type { Compression } from "./compression.ts";
import { parseExposition, type Series } from "./exposition.ts";

export const PROGRAM = fileURLToPath(new URL("../../../bin/avax-exporter.mjs", import.meta.url));

const FAST_CLOCK = new URL("fast-clock.ts", import.meta.url).href;

/**
 * Runs the program with these arguments as `npm start` does, on a fast clock and with a limit of file descriptors if given. The tests
 * read `--log.format=json`.
 */
export function runExporter(args: readonly string[], clock?: Compression, descriptors?: number): Child {
  const fast = clock === undefined ? [] : [`--import=${FAST_CLOCK}`];
  const env = clock === undefined ? {} : { FAST_CLOCK: `${clock.start},${clock.factor}` };
  const all = [...startLimits(), ...fast, PROGRAM, ...args];
  return descriptors === undefined
    ? startChild(process.execPath, all, env)
    : startChild("prlimit", [`--nofile=${descriptors}:${descriptors}`, process.execPath, ...all], env);
}

export type Failure = { readonly reason: string; readonly message: string };
export type EndpointStatus = {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly error?: Failure;
};
export type TargetStatus = {
  readonly name: string;
  readonly url: string;
  readonly up?: boolean;
  readonly nodeId?: string;
  readonly endpoints: readonly EndpointStatus[];
};
type DaemonStatus = {
  readonly networks: ReadonlyArray<{ readonly name: string; readonly referenceNode?: string }>;
  readonly targets: readonly TargetStatus[];
};

export type RunningDaemon = {
  readonly child: Child;
  readonly address: string;
  readonly get: (path: string, accept?: string) => Promise<Response>;
  readonly metrics: () => Promise<ReadonlyMap<string, Series>>;
  readonly status: () => Promise<DaemonStatus>;
  readonly isReady: () => Promise<boolean>;
};

/** Starts the real process, unless stated otherwise on a port that the system chooses, and resolves when it listens. */
export async function startDaemon(
  args: readonly string[],
  clock?: Compression,
  port = 0,
  descriptors?: number,
): Promise<RunningDaemon> {
  const flags = [`--web.listen-address=127.0.0.1:${port}`, "--log.format=json"];
  const child = runExporter([...flags, ...args], clock, descriptors);
  const [, address = ""] = await written(child, /"address":"(http:[^"]+)"/).catch(async (error: unknown) => {
    await child.stop();
    throw error;
  });
  const get = (path: string, accept = "*/*") => fetch(`${address}${path}`, { headers: { accept } });
  return {
    child,
    address,
    get,
    metrics: async () => parseExposition(await (await get("/metrics")).text()),
    status: async () => (await (await get("/api/v1/status")).json()) as DaemonStatus,
    isReady: async () => (await get("/-/ready")).status === 200,
  };
}

/** Writes a configuration (JSON is YAML) and returns its path. */
export async function writeConfig(folder: string, config: unknown, name = "config.yaml"): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof config === "string" ? config : JSON.stringify(config, null, 2));
  return file;
}
