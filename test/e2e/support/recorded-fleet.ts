import { vi } from "vitest";
import type { Cleanup } from "../../support/create-cleanup.ts";
import { startDaemon, writeConfig, type RunningDaemon, type StartOptions } from "./daemon.ts";
import { fleetConfig, type FleetNode } from "./fleet.ts";
import { startRecordingServer } from "./recording-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A server for each recording and a daemon that polls them; resolves when it has polled everything. */
export async function startFleetDaemon(
  nodes: readonly FleetNode[],
  cleanup: Cleanup,
  options: StartOptions = {},
): Promise<RunningDaemon> {
  const urls = new Map<string, string>();
  for (const { name, recording } of nodes) {
    const { url, close } = await startRecordingServer(recording);
    cleanup.add(close);
    urls.set(name, url);
  }
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const file = await writeConfig(folder.path, fleetConfig(nodes, urls));
  const daemon = await startDaemon([`--config.file=${file}`], options);
  cleanup.add(daemon.child.stop);
  await vi.waitUntil(() => daemon.isReady(), { timeout: 60_000, interval: 50 });
  return daemon;
}
