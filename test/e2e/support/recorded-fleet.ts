import { vi } from "vitest";
import type { Cleanup } from "../../support/create-cleanup.ts";
import { differences } from "./compare.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./daemon.ts";
import { expectedHealth } from "./expected-health.ts";
import { expectedLag, expectedNetwork, expectedView } from "./expected-network.ts";
import { expectedNode, expectedPolling } from "./expected-node.ts";
import { expectedQuorum } from "./expected-quorum.ts";
import type { Series } from "./exposition.ts";
import { fleetConfig, type FleetNode } from "./fleet.ts";
import { startRecordingServer, type Question, type RecordingServer } from "./recording-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A daemon that polls every recording, and the expected series. */

/** Starts a server for each recording and the daemon, and resolves when it has polled everything and compared the nodes. */
export async function startFleetDaemon(nodes: readonly FleetNode[], cleanup: Cleanup): Promise<RunningDaemon> {
  const servers = await startServers(nodes, cleanup);
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const urls = new Map([...servers].map(([name, { url }]) => [name, url]));
  const daemon = await startDaemon([`--config.file=${await writeConfig(folder.path, fleetConfig(nodes, urls))}`]);
  cleanup.add(daemon.child.stop);
  await vi.waitUntil(() => daemon.isReady(), { timeout: 60_000, interval: 50 });
  // The comparison reports a missing figure.
  await vi.waitUntil(() => isSettled(nodes, daemon), { timeout: 30_000, interval: 200 }).catch(() => false);
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

async function isSettled(nodes: readonly FleetNode[], daemon: RunningDaemon): Promise<boolean> {
  const samples = await daemon.metrics();
  return nodes.every((node) => differences(expectedOf(node), samples).length === 0);
}

/** The expected series of a recording: the node's own facts, and the network's when it is the reference node. */
export function expectedOf(node: FleetNode): readonly Series[] {
  const own = [
    ...expectedHealth(node),
    ...expectedNode(node),
    ...expectedPolling(node),
    ...expectedView(node),
    ...expectedLag(node),
  ];
  return node.isReferenceNode ? [...own, ...expectedNetwork(node), ...expectedQuorum(node)] : own;
}

/** Families that the recordings cover. */
export function comparedFamilies(nodes: readonly FleetNode[]): ReadonlySet<string> {
  return new Set(nodes.flatMap(expectedOf).map(({ name }) => name));
}
