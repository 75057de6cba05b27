import { vi } from "vitest";
import type { Cleanup } from "../../support/create-cleanup.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./daemon.ts";
import { fleetConfig, type FleetNode } from "./fleet.ts";
import { startRecordingServer, type Question, type RecordingServer } from "./recording-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A server for each recording and a daemon that polls them; resolves when it has polled everything. */
export async function startFleetDaemon(nodes: readonly FleetNode[], cleanup: Cleanup): Promise<RunningDaemon> {
  const servers = await startServers(nodes, cleanup);
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const urls = new Map([...servers].map(([name, { url }]) => [name, url]));
  const daemon = await startDaemon([`--config.file=${await writeConfig(folder.path, fleetConfig(nodes, urls))}`]);
  cleanup.add(daemon.child.stop);
  await vi.waitUntil(() => daemon.isReady(), { timeout: 60_000, interval: 50 });
  return daemon;
}

/**
 * A server for each recording. The first node that answers may become the reference node, so the others report whether they
 * are bootstrapped only after the first was polled as reference node.
 */
async function startServers(
  nodes: readonly FleetNode[],
  cleanup: Cleanup,
): Promise<ReadonlyMap<string, RecordingServer>> {
  const servers = new Map<string, RecordingServer>();
  const elected = new Map<string, Promise<void>>();
  for (const { name, recording, network, isReferenceNode } of nodes) {
    const hold = ({ rpc }: Question) =>
      !isReferenceNode && rpc?.method === "info.isBootstrapped" ? elected.get(network) : undefined;
    const server = await startRecordingServer(recording, { hold });
    cleanup.add(server.close);
    servers.set(name, server);
    if (isReferenceNode)
      elected.set(
        network,
        server.asked(
          ({ rpc }) => rpc?.method === "platform.getCurrentValidators" && rpc.params["nodeIDs"] === undefined,
        ),
      );
  }
  return servers;
}
