import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Agent, get } from "node:http";
import { startLimits } from "../../../bench/limits.ts";
import { cpuOf, residentBytes } from "../../../bench/measure.ts";
import type { Delays, Inside } from "./inside.ts";
import { startAsked } from "./process.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "bin/avax-exporter.mjs");
const INSIDE = new URL("inside.ts", import.meta.url).href;
const FAST_CLOCK = new URL("../../e2e/support/fast-clock.ts", import.meta.url).href;

/** Milliseconds for the start, and for one answer. */
const PATIENCE = 60_000;
/** Lines of its log that are kept. */
const KEPT_LINES = 200;

export type Exporter = {
  readonly address: string;
  /** The whole exposition, as text or compressed on the way. */
  readonly scrape: (encoding: "identity" | "gzip") => Promise<string>;
  /** Status of a path. */
  readonly statusOf: (path: string) => Promise<number>;
  readonly inside: () => Promise<Inside>;
  readonly delays: () => Promise<Delays>;
  /** Open file descriptors, and how many of them are sockets. */
  readonly opened: () => { readonly files: number; readonly sockets: number };
  /** Resident memory, bytes. */
  readonly resident: () => number;
  /** Processor time since its start, milliseconds. */
  readonly cpu: () => number;
  /** Lines of its log that report a defect, and the last lines. */
  readonly log: () => { readonly defects: readonly string[]; readonly last: readonly string[] };
  /** Why it has ended; `undefined` while it runs. */
  readonly ended: () => string | undefined;
  readonly stop: () => Promise<void>;
};

/** Starts the exporter from its sources, with the options of `npm start`. @param clock the fast clock, if time is compressed */
export async function startExporter(
  args: readonly string[],
  clock?: { readonly start: number; readonly speed: number },
): Promise<Exporter> {
  const fast = clock === undefined ? [] : [`--import=${FAST_CLOCK}`];
  // Work takes real time: where an hour passes in a minute, it would otherwise seem too slow.
  const env = clock === undefined ? {} : { FAST_CLOCK: `${clock.start},${clock.speed}`, FAST_CLOCK_WORK: "real" };
  const { child, ask, stop } = startAsked(PROGRAM, ["--web.listen-address=127.0.0.1:0", "--log.format=json", ...args], {
    cwd: ROOT,
    execArgv: [...startLimits(), ...fast, `--import=${INSIDE}`],
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const defects: string[] = [];
  const last: string[] = [];
  let end: string | undefined;
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  child.once("exit", (code, signal) => {
    end = String(code ?? signal);
    reject(new Error(`the exporter ended with ${end}:\n${last.join("\n")}`));
  });
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (/defect/i.test(line)) defects.push(line);
      last.push(line);
      if (last.length > KEPT_LINES) last.shift();
      const found = /"address":"(http:[^"]+)"/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    }
  });
  const address = await listening;
  const agent = new Agent({ keepAlive: true });
  return {
    address,
    scrape: async (encoding) => (await requested(`${address}/metrics`, agent, encoding)).text,
    statusOf: async (path) => (await requested(`${address}${path}`, agent, "identity")).status,
    inside: () => ask<Inside>({ what: "inside" }),
    delays: () => ask<Delays>({ what: "delays" }),
    opened: () => openedBy(child.pid),
    resident: () => residentBytes(child.pid),
    cpu: () => cpuOf(child.pid),
    log: () => ({ defects, last }),
    ended: () => end,
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}

function openedBy(pid: number | undefined): { readonly files: number; readonly sockets: number } {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((file) => {
    try {
      return readlinkSync(join(folder, file));
    } catch {
      return ""; // closed meanwhile
    }
  });
  const open = targets.filter((target) => target !== "");
  return { files: open.length, sockets: open.filter((target) => target.startsWith("socket:")).length };
}

type Answer = { readonly status: number; readonly text: string };

/** @throws Error for no answer, and for /metrics with another status than 200 */
function requested(url: string, agent: Agent, encoding: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: PATIENCE, headers: { "accept-encoding": encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const body = Buffer.concat(chunks);
        const isZipped = response.headers["content-encoding"] === "gzip";
        resolve({ status: response.statusCode ?? 0, text: (isZipped ? gunzipSync(body) : body).toString() });
      });
    });
    request.on("timeout", () => request.destroy(new Error(`no answer from ${url} within ${PATIENCE / 1000} s`)));
    request.on("error", reject);
  });
}
