import { afterThisTest } from "../../support/cleanup.ts";
import { startDaemon, type RunningDaemon, type StartOptions } from "./daemon.ts";
import { seriesKey } from "./exposition.ts";
import type { Recording } from "./recording.ts";
import { startRecordingServer, type RecordingServer, type RecordingServerOptions } from "./recording-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** How long a test waits for a result, on a machine that may be busy. */
export const WITHIN = { timeout: 30_000, interval: 50 };
/** Everything is polled every second, so that a change is exported within one. */
export const EVERY_SECOND = Object.fromEntries(
  [
    "health",
    "health.readiness",
    "health.liveness",
    "info.getNodeID",
    "info.getNodeVersion",
    "info.isBootstrapped",
    "info.peers",
    "info.uptime",
    "platform.getHeight",
  ].map((id) => [id, { every: "1s" }]),
);

/** Processes and servers that a test starts with these functions are stopped after it. */
export const cleanUpAfter = afterThisTest.add;

export async function folder(): Promise<string> {
  const made = await temporaryFolder();
  afterThisTest.add(made.remove);
  return made.path;
}

export async function daemonWith(args: readonly string[], options: StartOptions = {}): Promise<RunningDaemon> {
  const daemon = await startDaemon(args, options);
  afterThisTest.add(daemon.child.stop);
  return daemon;
}

export async function serverOf(recording: Recording, options: RecordingServerOptions = {}): Promise<RecordingServer> {
  const server = await startRecordingServer(recording, options);
  afterThisTest.add(server.close);
  return server;
}

export async function value(
  daemon: RunningDaemon,
  name: string,
  labels: Readonly<Record<string, string>> = { node: "a" },
): Promise<number | undefined> {
  const metrics = await daemon.metrics();
  const exact = metrics.get(seriesKey(name, labels));
  if (exact !== undefined) return exact.value;
  // A node's series carry its network, too, and those of validators and subnets their names.
  const added = { network: "", name: "", subnet_name: "", ...(labels["node"] === undefined ? { node: "" } : {}) };
  const wanted = seriesKey(name, { ...labels, ...added });
  const found = [...metrics.values()].filter(
    (each) => each.name === name && seriesKey(name, { ...each.labels, ...added }) === wanted,
  );
  if (found.length > 1) throw new Error(`several series: ${wanted}`);
  return found[0]?.value;
}
