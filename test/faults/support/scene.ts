import { setTimeout as after } from "node:timers/promises";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseExposition, type Series } from "../../e2e/support/exposition.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "../../e2e/support/daemon.ts";
import { loadRecording } from "../../e2e/support/recording.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import type { Cleanup } from "../../support/create-cleanup.ts";
import { startFaultServer, type Fault, type FaultServer } from "./fault-server.ts";
import {
  judge,
  judgeWell,
  lacksSignals,
  unlikeBefore,
  WELL,
  type Evidence,
  type Moment,
  type Status,
  type Verdicts,
} from "./judge.ts";
import { PACE, POLLED, SIGNALS, type Row } from "./row.ts";

export type SceneOptions = {
  /** Seconds that the faults last. */
  readonly lasts: number;
  /** Seconds to wait for what does not recover in time, to report when it does. */
  readonly patience: number;
  /** Seconds between two polls, in place of two; the deadline is half of it. */
  readonly every?: number;
  /** Further settings of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Bytes of heap that can be in use at the end beyond those before the faults, within a minute. */
  readonly left: number;
  /** Accepts the WebSockets of the nodes that are well. */
  readonly upgrade?: Fault["upgrade"];
};

export type SceneResult = {
  readonly verdicts: Verdicts;
  /** What is wrong with the process as a whole. */
  readonly process: readonly string[];
  /** Bytes of the process: before, and most during. Its engine keeps freed pages for its next garbage, so they say nothing of a leak. */
  readonly resident: { readonly before: number; readonly most: number };
  /** Bytes in use, garbage included: the least before, and the least after. */
  readonly heap: { readonly before: number; readonly after: number };
  /** Seconds. */
  readonly longestBlock: number;
  readonly text: string;
};

const RECORDING = loadRecording("local-healthy-validator");
/** Polled once, and again only after a failure. */
const ONCE = { every: "1h", timeout: `${10 * PACE}s` };
const ONCE_POLLED = [
  "info.getNodeID",
  "info.getNetworkID",
  "info.getNodeIP",
  "info.getVMs",
  "info.getBlockchainID",
  "info.isBootstrapped",
  "info.upgrades",
  "info.acps",
  "platform.getTimestamp",
  "platform.getBlockchainStatus",
  "platform.getCurrentSupply",
  "evm.identity",
  // Its first poll is a dozen requests in a row, too many for a deadline of a second on a busy machine.
  "platform.getBlockByHeight",
];

/** Looks leave garbage, so that the engine collects it within this time. */
const RETURNS_WITHIN_MS = 60_000;

const residentOf = (moment: Moment): number => moment.value("process_resident_memory_bytes") ?? 0;
const heapOf = (moment: Moment): number => moment.value("nodejs_heap_size_used_bytes") ?? Infinity;

/** Runs the faults of all rows at the same time against one daemon, beside two nodes that are well. */
export async function runScene(rows: readonly Row[], options: SceneOptions, cleanup: Cleanup): Promise<SceneResult> {
  const { servers, daemon } = await startAll(rows, options, cleanup);
  const now = () => Date.now() / 1000;
  const moments: Moment[] = [];
  let most = 0;
  let longestBlock = 0;
  const look = async (whole = false): Promise<Moment> => {
    const moment = await momentOf(daemon, now(), whole);
    most = Math.max(most, residentOf(moment));
    longestBlock = Math.max(longestBlock, moment.value("nodejs_eventloop_lag_max_seconds") ?? 0);
    moments.push(moment);
    return moment;
  };

  await settled(rows, look);
  const heap = Math.min(...moments.map(heapOf));
  moments.length = 0;
  const before = await look(true);
  const [resident, began] = [residentOf(before), now()];
  longestBlock = 0;
  await Promise.all(rows.map(async (row) => servers.get(row.id)?.begin(row.behave())));
  await after(1_500 * PACE);
  const early = await look(true);
  const ends = began + options.lasts * PACE;
  while (now() < ends - 2) {
    await after(1_000);
    await look();
  }
  await after(Math.max(0, ends - 0.5 - now()) * 1000);
  const during = await look(true);
  const ended = now();
  await Promise.all(rows.map(async (row) => servers.get(row.id)?.end()));
  const recovered = await watchRecovery(rows, before, ended, options.patience * PACE, look);
  const returned = Date.now() + RETURNS_WITHIN_MS * PACE;
  let left = heapOf(await look());
  while (Date.now() < returned && left - heap >= options.left) {
    await after(250);
    left = Math.min(left, heapOf(await look()));
  }
  const last = await look(true);
  const slower = (options.every ?? 2) / 2;
  const verdicts = judge(rows, { slower, before, early, during, recovered, stderr: daemon.child.stderr() });
  const well = moments.flatMap((moment) => judgeWell(before, moment, slower));
  const alive = await Promise.race([daemon.child.exited.then((code) => [`the process ended: ${code}`]), after(10, [])]);
  return {
    verdicts,
    process: [...new Set([...alive, ...well])],
    resident: { before: resident, most },
    heap: { before: heap, after: left },
    longestBlock,
    text: last.text,
  };
}

async function startAll(
  rows: readonly Row[],
  { config, upgrade, every = 2 }: SceneOptions,
  cleanup: Cleanup,
): Promise<{ servers: ReadonlyMap<string, FaultServer>; daemon: RunningDaemon }> {
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const servers = new Map<string, FaultServer>();
  const nodes: object[] = [];
  for (const name of WELL) {
    const server = await startFaultServer(RECORDING, upgrade === undefined ? {} : { upgrade });
    cleanup.add(server.close);
    nodes.push({ name, url: server.url, network: "well" });
  }
  for (const row of rows) {
    const { trusted, ...serverOptions } = row.server?.() ?? {};
    const server = await startFaultServer(RECORDING, serverOptions);
    cleanup.add(server.close);
    servers.set(row.id, server);
    const ca = join(folder.path, `${row.id}.pem`);
    if (trusted !== undefined) await writeFile(ca, trusted.join("\n"));
    const tls = trusted === undefined ? {} : { tls: { ca_file: ca } };
    nodes.push({ name: row.id, url: row.url ?? server.url, network: row.id, ...tls, ...row.node });
  }
  const fast = { every: `${every * PACE}s`, timeout: `${(every / 2) * PACE}s` };
  const polled = POLLED.map((id): [string, object] => [id, fast]);
  const once = ONCE_POLLED.map((id): [string, object] => [id, ONCE]);
  const endpoints = Object.fromEntries([...polled, ...once]);
  const file = await writeConfig(folder.path, { nodes, endpoints, ...config });
  const daemon = await startDaemon([`--config.file=${file}`]);
  cleanup.add(daemon.child.stop);
  return { servers, daemon };
}

/** Waits until every node that can answer does. */
async function settled(rows: readonly Row[], look: () => Promise<Moment>): Promise<void> {
  const names = [...WELL, ...rows.filter(({ url }) => url === undefined).map(({ id }) => id)];
  for (let attempt = 0; ; attempt++) {
    await after(500);
    const moment = await look();
    const open = names.filter((name) => !moment.isWhole(name) || lacksSignals(moment, name));
    if (open.length === 0) return;
    if (attempt === 120) throw new Error(`not well before the faults: ${open.join(", ")}\n${moment.failing(open)}`);
  }
}

/** Seconds from the end of the faults until each row is as before, or what is still another. */
async function watchRecovery(
  rows: readonly Row[],
  before: Moment,
  ended: number,
  patience: number,
  look: () => Promise<Moment>,
): Promise<Evidence["recovered"]> {
  const found = new Map<string, number | readonly string[]>();
  const open = new Set(rows.filter(({ recovery }) => recovery !== undefined));
  while (open.size > 0 && Date.now() / 1000 < ended + patience) {
    await after(250);
    const moment = await look();
    for (const row of open) {
      const unlike = unlikeBefore(row, before, moment, ended);
      found.set(row.id, unlike.length > 0 ? unlike : moment.at - ended);
      if (unlike.length === 0) open.delete(row);
    }
  }
  return found;
}

/** Families that every look needs; the whole exposition is read only where everything is judged. */
const LOOKED_AT = [
  ...Object.values(SIGNALS).filter((family) => family !== undefined),
  ...["avax_node_up", "avax_exporter_defects_total"],
  ...["process_resident_memory_bytes", "nodejs_heap_size_used_bytes", "nodejs_eventloop_lag_max_seconds"],
];
const SHORT = `/metrics?${LOOKED_AT.map((family) => `name[]=${family}`).join("&")}`;

/** Seconds for one look. A process that does not answer within them is stuck. */
const ANSWER_WITHIN = 20;

/** @throws Error with the end of the log, where the process has ended or is stuck */
async function fetched(daemon: RunningDaemon, path: string): Promise<Response> {
  try {
    return await fetch(`${daemon.address}${path}`, { signal: AbortSignal.timeout(ANSWER_WITHIN * 1000 * PACE) });
  } catch (error) {
    const end = await Promise.race([daemon.child.exited.then((code) => `ended with ${code}`), after(500, "is stuck")]);
    throw new Error(`the process ${end}:\n${daemon.child.stderr().slice(-3_000)}`, { cause: error });
  }
}

async function momentOf(daemon: RunningDaemon, at: number, whole: boolean): Promise<Moment> {
  const [metrics, status] = await Promise.all([
    fetched(daemon, whole ? "/metrics" : SHORT),
    fetched(daemon, "/api/v1/status"),
  ]);
  const text = await metrics.text();
  const { targets } = (await status.json()) as Status;
  const series = parseExposition(text);
  const byName = new Map(targets.map((target) => [target.name, target]));
  const first = new Map<string, Series>();
  for (const each of series.values()) if (!first.has(each.name)) first.set(each.name, each);
  const endpointsOf = (name: string) =>
    (byName.get(name)?.endpoints ?? []).filter(({ id }) => (POLLED as readonly string[]).includes(id));
  return {
    at,
    text,
    series,
    endpointsOf,
    value: (name) => first.get(name)?.value,
    isWhole: (name) => {
      const found = endpointsOf(name);
      // A node that is not the reference node is not polled about its network.
      return found.length >= POLLED.length - 2 && found.every(({ state }) => state === "ok");
    },
    failing: (names) =>
      names
        .slice(0, 5)
        .flatMap((name) =>
          endpointsOf(name)
            .filter(({ state }) => state !== "ok")
            .map(({ id, state, error }) => `${name} ${id} ${state} ${error?.message ?? ""}`),
        )
        .join("\n"),
  };
}
