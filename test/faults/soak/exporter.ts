import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { cpuOf, residentBytes } from "../../../bench/measure.ts";
import type { Compression } from "../../e2e/support/compression.ts";
import { startDaemon } from "../../e2e/support/daemon.ts";
import type { Delays, Inside } from "./inside.ts";

const INSIDE = new URL("inside.ts", import.meta.url).href;
/** Milliseconds for one answer. */
const PATIENCE = 60_000;

export type Exporter = Awaited<ReturnType<typeof startExporter>>;

/** Starts the exporter from its sources, with the options of `npm start`. @param clock the fast clock, if time is compressed */
export async function startExporter(args: readonly string[], clock?: Compression) {
  const options = { inside: INSIDE, ...(clock === undefined ? {} : { clock }) };
  const { child, address } = await startDaemon(args, options);
  const get = (path: string, encoding: "identity" | "gzip"): Promise<Response> =>
    fetch(`${address}${path}`, { headers: { "accept-encoding": encoding }, signal: AbortSignal.timeout(PATIENCE) });
  return {
    address,
    child,
    stop: child.stop,
    /** The whole exposition, as text or compressed on the way. */
    scrape: async (encoding: "identity" | "gzip"): Promise<string> => (await get("/metrics", encoding)).text(),
    /** Whether the first round of polls is over. */
    isReady: async (): Promise<boolean> => {
      const response = await get("/-/ready", "identity");
      await response.text();
      return response.status === 200;
    },
    inside: () => child.ask<Inside>({ what: "inside" }),
    delays: () => child.ask<Delays>({ what: "delays" }),
    opened: () => openedBy(child.pid),
    /** Resident memory, bytes. */
    resident: () => residentBytes(child.pid),
    /** Processor time since its start, milliseconds. */
    cpu: () => cpuOf(child.pid),
    /** Lines of its log that report a defect. */
    defects: () =>
      child
        .stderr()
        .split("\n")
        .filter((line) => /defect/i.test(line)),
  };
}

/** @throws Error where the first round of polls takes longer than so many milliseconds */
export async function firstRound({ isReady }: Exporter, most: number): Promise<void> {
  const patient = performance.now() + most;
  while (!(await isReady())) {
    if (performance.now() > patient) throw new Error(`the first round is not complete after ${most / 1000} s`);
    await after(250);
  }
}

/** Open file descriptors, and how many of them are sockets. */
function openedBy(pid: number): { readonly files: number; readonly sockets: number } {
  const folder = `/proc/${pid}/fd`;
  const open = readdirSync(folder).flatMap((file) => {
    try {
      return readlinkSync(join(folder, file));
    } catch {
      return []; // closed meanwhile
    }
  });
  return { files: open.length, sockets: open.filter((target) => target.startsWith("socket:")).length };
}
