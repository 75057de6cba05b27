import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startLimits } from "../../../bench/limits.ts";
import { startChild, written, type Child } from "./child.ts";
import type { Compression } from "./compression.ts";
import { parseExposition, type Series } from "./exposition.ts";

export const PROGRAM = fileURLToPath(new URL("../../../bin/avax-exporter.mjs", import.meta.url));

const FAST_CLOCK = new URL("fast-clock.ts", import.meta.url).href;

export type StartOptions = {
  /** It runs on a fast clock. */
  readonly clock?: Compression;
  /** A port that the system chooses unless it is given. */
  readonly port?: number;
  /** Limit of file descriptors. */
  readonly descriptors?: number;
  /** A module that is loaded before the program and answers what it is asked (`Child.ask`). */
  readonly inside?: string;
  /** Its working directory, where it keeps its state by default. */
  readonly cwd?: string;
};

/** By default the program keeps its state in the working directory, which tests share. */
const FORGETS = "--storage.path=";

/** Runs the program with these arguments as `npm start` does, without a memory unless they name one or a working directory. */
export function runExporter(args: readonly string[], { clock, descriptors, inside, cwd }: StartOptions = {}): Child {
  const modules = [...(clock === undefined ? [] : [FAST_CLOCK]), ...(inside === undefined ? [] : [inside])];
  const env =
    clock === undefined
      ? {}
      : { FAST_CLOCK: `${clock.start},${clock.factor}`, FAST_CLOCK_WORK: clock.work ?? "compressed" };
  const own = cwd !== undefined || args.some((each) => each.startsWith(FORGETS)) ? [] : [FORGETS];
  const flags = [...startLimits(), ...modules.map((each) => `--import=${each}`), PROGRAM];
  const all = [process.execPath, ...flags, ...own, ...args];
  const limit = descriptors === undefined ? [] : ["prlimit", `--nofile=${descriptors}:${descriptors}`];
  const [program = "", ...rest] = [...limit, ...all];
  return startChild(program, rest, env, inside === undefined ? [] : ["ipc"], cwd);
}

export type Failure = { readonly reason: string; readonly message: string };
export type EndpointStatus = {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  /** Seconds, and Unix seconds. */
  readonly every: number;
  readonly lastSuccess?: number;
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

/** Starts the real process, and resolves when it listens. The tests read `--log.format=json`. */
export async function startDaemon(args: readonly string[], options: StartOptions = {}): Promise<RunningDaemon> {
  const flags = [`--web.listen-address=127.0.0.1:${options.port ?? 0}`, "--log.format=json"];
  const child = runExporter([...flags, ...args], options);
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
