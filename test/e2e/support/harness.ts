import { createServer } from "node:http";
import { vi } from "vitest";
import { afterThisTest } from "../../support/cleanup.ts";
import { startDaemon, writeConfig, type EndpointStatus, type RunningDaemon } from "./daemon.ts";
import { seriesKey } from "./exposition.ts";
import type { Recording } from "./recording.ts";
import {
  closeServer,
  listenOn,
  startRecordingServer,
  type RecordingServer,
  type RecordingServerOptions,
} from "./recording-server.ts";
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

export async function daemonWith(args: readonly string[]): Promise<RunningDaemon> {
  const daemon = await startDaemon(args);
  afterThisTest.add(daemon.child.stop);
  return daemon;
}

/** A daemon that polls one node, called `a`. */
export async function daemonFor(url: string, node: object = {}): Promise<RunningDaemon> {
  const config = { nodes: [{ name: "a", url, ...node }], endpoints: EVERY_SECOND };
  return daemonWith([`--config.file=${await writeConfig(await folder(), config)}`]);
}

export async function serverOf(recording: Recording, options: RecordingServerOptions = {}): Promise<RecordingServer> {
  const server = await startRecordingServer(recording, options);
  afterThisTest.add(server.close);
  return server;
}

/** A server that gives the same answer to everything. */
export async function otherServer(status: number, contentType: string, body: string): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": contentType }).end(body),
  );
  const port = await listenOn(server);
  afterThisTest.add(() => closeServer(server));
  return `http://127.0.0.1:${port}`;
}

/** A port at which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server);
  await closeServer(server);
  return port;
}

export async function value(
  daemon: RunningDaemon,
  name: string,
  labels: Readonly<Record<string, string>> = { node: "a" },
): Promise<number | undefined> {
  const metrics = await daemon.metrics();
  const exact = metrics.get(seriesKey(name, labels));
  if (exact !== undefined) return exact.value;
  // A node's series carry its network, too.
  const wanted = seriesKey(name, { network: "", ...labels });
  const found = [...metrics.values()].filter(
    (each) => each.name === name && seriesKey(name, { ...each.labels, network: "" }) === wanted,
  );
  if (found.length > 1) throw new Error(`several series: ${wanted}`);
  return found[0]?.value;
}

async function endpointOf(daemon: RunningDaemon, id: string, key = ""): Promise<EndpointStatus | undefined> {
  const { targets } = await daemon.status();
  return targets[0]?.endpoints.find((each) => each.id === id && each.key === key);
}

export async function failureOf(daemon: RunningDaemon, id = "health"): Promise<EndpointStatus["error"]> {
  return vi.waitUntil(async () => (await endpointOf(daemon, id))?.error, WITHIN);
}
