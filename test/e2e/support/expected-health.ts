import { recordedName, type FleetNode } from "./fleet.ts";
import { expecting, json, known, ratio, result, seconds, unixSeconds, type Expected } from "./reading.ts";
import type { Series } from "./exposition.ts";
import type { Recording } from "./recording.ts";

type ChainMessage = {
  readonly engine: {
    readonly consensus: {
      avgAcceptanceTime?: string;
      lastAcceptedHeight?: number;
      longestProcessingBlock?: string;
      processingBlocks?: number;
    };
  };
  readonly networking: { readonly disconnectedValidators: readonly string[]; readonly percentConnected: number };
};
type Check<M = unknown> = {
  readonly message?: M;
  readonly error?: unknown;
  readonly timestamp: string;
  readonly duration: number;
  readonly contiguousFailures?: number;
  readonly timeOfFirstFailure?: string;
};
type Report = { readonly checks: Readonly<Record<string, Check>>; readonly healthy: boolean };

const NODE_WIDE = ["bls", "bootstrapped", "database", "diskspace", "futureupgrade", "network", "router"];

/** The health API of a recorded node, as series. */
export function expectedHealth(node: FleetNode): readonly Series[] {
  const expected = expecting({ node: node.name, network: node.network });
  const { checks, healthy } = json<Report>(node.recording, "health.get");
  expected.own({
    avax_node_healthy: healthy,
    avax_node_ready: json<Report>(node.recording, "health.get.readiness").healthy,
    avax_node_live: json<Report>(node.recording, "health.get.liveness").healthy,
    avax_node_health_last_run_timestamp_seconds: newest(Object.values(checks).map(({ timestamp }) => timestamp)),
  });
  const labels = chainLabels(node);
  for (const [name, each] of Object.entries(checks)) {
    const check = { check: labels.get(name) ?? name, subnet: subnetOf(node, name) };
    expected.all(check, {
      avax_node_health_check_passing: each.error === undefined,
      avax_node_health_check_contiguous_failures: each.error === undefined ? undefined : each.contiguousFailures,
      avax_node_health_check_first_failure_timestamp_seconds: known(each.timeOfFirstFailure, unixSeconds),
    });
  }
  for (const { id, recorded } of node.subnets) {
    const report = json<Report>(node.recording, `health.get.tag-${recorded}`);
    expected.add("avax_subnet_health_known", { subnet: id }, recorded !== "unknown");
    expected.add("avax_subnet_healthy", { subnet: id }, recorded === "unknown" ? undefined : report.healthy);
  }
  addNodeWide(expected, checks, node);
  const found = heights(node.recording, node.subnets);
  for (const { chain, height } of found) expected.add("avax_chain_height", { chain }, height);
  if (!found.some(({ chain }) => chain === "P"))
    expected.add("avax_chain_height", { chain: "P" }, directHeight(node.recording, "P"));
  for (const [chain, { message }] of chainChecks(node)) if (message !== undefined) addChain(expected, chain, message);
  return expected.series();
}

const newest = (times: readonly string[]): number => Math.max(...times.map((time) => unixSeconds(time) ?? -Infinity));

/** The subnet of a check; an empty label is absent. */
function subnetOf({ subnets }: FleetNode, check: string): string {
  if (NODE_WIDE.includes(check)) return "";
  if (["P", "X", "C"].includes(check)) return "primary";
  return subnets.find(({ chains }) => chains.some(({ id }) => id === check))?.id ?? "other";
}

/** Labels of configured chains by their ID. */
const chainLabels = ({ subnets }: Pick<FleetNode, "subnets">): ReadonlyMap<string, string> =>
  new Map(subnets.flatMap(({ chains }) => chains.map(({ id, label }) => [id, label])));

/** Chain checks by the label of the chain. */
function chainChecks({
  recording,
  subnets,
}: Pick<FleetNode, "recording" | "subnets">): ReadonlyArray<readonly [string, Check<ChainMessage>]> {
  const labels = chainLabels({ subnets });
  const { checks } = json<Report>(recording, "health.get");
  return Object.entries(checks)
    .filter(([check]) => !NODE_WIDE.includes(check))
    .map(([check, each]) => [labels.get(check) ?? check, each as Check<ChainMessage>]);
}

type ChainHeight = { readonly chain: string; readonly height: number; readonly isAsked: boolean };

/** Height of each chain, and whether it is polled directly or read from a check. */
export function heights(recording: Recording, subnets: FleetNode["subnets"]): readonly ChainHeight[] {
  return chainChecks({ recording, subnets }).flatMap(([chain, { message }]): readonly ChainHeight[] => {
    const direct = directHeight(recording, chain);
    if (direct !== undefined) return [{ chain, height: direct, isAsked: true }];
    const height = message?.engine.consensus.lastAcceptedHeight;
    return height === undefined ? [] : [{ chain, height, isAsked: false }];
  });
}

function directHeight(recording: Recording, chain: string): number | undefined {
  if (chain === "P") return known(result<{ height: string }>(recording, "platform.getHeight")?.height, Number);
  if (chain === "X") return undefined;
  return known(
    result<string>(recording, `evm.${chain === "C" ? "" : `${recordedName(chain)}.`}eth_blockNumber`),
    Number,
  );
}

function addChain(expected: Expected, chain: string, { engine: { consensus }, networking }: ChainMessage): void {
  const real = networking.disconnectedValidators.filter((id) => id !== "NodeID-111111111111111111116DBWJs");
  const labels = { chain };
  expected.all(labels, {
    avax_chain_processing_blocks: consensus.processingBlocks,
    avax_chain_longest_processing_block_seconds: known(consensus.longestProcessingBlock, seconds),
    avax_chain_average_acceptance_duration_seconds: known(consensus.avgAcceptanceTime, seconds),
    avax_chain_connected_stake_ratio: networking.percentConnected,
    avax_chain_disconnected_validators: real.length,
  });
}

type NetworkMessage = {
  readonly connectedPeers: number;
  readonly sendFailRate: number;
  readonly timeSinceLastMsgReceived?: string;
  readonly timeSinceLastMsgSent?: string;
  readonly "primary network validator health"?: { readonly ingressConnectionCount: number };
};
type UpgradeMessage = {
  readonly localUpgradeTime: string;
  readonly modeUpgradeTime: string;
  readonly modeUpgradeWeightPercentage: number;
};

function addNodeWide(expected: Expected, checks: Report["checks"], { subnets }: FleetNode): void {
  const { network: networkCheck, diskspace, router: routerCheck, futureupgrade, bootstrapped, bls } = checks;
  const network = networkCheck?.message as NetworkMessage;
  const disk = diskspace?.message as { availableDiskBytes: number; availableDiskPercentage: number };
  const router = routerCheck?.message as { longestRunningRequest: string; outstandingRequests: number };
  const upgrade = futureupgrade?.message as UpgradeMessage;
  const waiting = bootstrapped?.message as readonly string[];
  const checkedAt = unixSeconds(networkCheck?.timestamp ?? "") ?? NaN;
  const ago = (duration: string): number => Number((checkedAt - seconds(duration)).toFixed(6));
  expected.own({
    avax_node_send_failure_ratio: network.sendFailRate,
    avax_node_last_message_received_timestamp_seconds: known(network.timeSinceLastMsgReceived, ago),
    avax_node_last_message_sent_timestamp_seconds: known(network.timeSinceLastMsgSent, ago),
    avax_node_ingress_connections: network["primary network validator health"]?.ingressConnectionCount,
    avax_node_disk_available_bytes: disk.availableDiskBytes,
    avax_node_disk_available_ratio: ratio(disk.availableDiskPercentage),
    avax_node_outstanding_requests: router.outstandingRequests,
    avax_node_longest_running_request_seconds: seconds(router.longestRunningRequest),
    avax_node_bootstrapping_subnets: waiting.length,
  });
  for (const { id } of subnets) expected.add("avax_subnet_bootstrapping", { subnet: id }, waiting.includes(id));
  addUpgrade(expected, upgrade);
  const state = bls?.message === "node has the correct BLS key" ? "correct" : "not_a_validator";
  expected.add("avax_node_bls_state", { state }, 1);
}

function addUpgrade(expected: Expected, upgrade: UpgradeMessage): void {
  const scheduled = (time: string) => (time.startsWith("9999-") ? undefined : unixSeconds(time));
  const mode = unixSeconds(upgrade.modeUpgradeTime);
  expected.own({
    avax_node_upgrade_local_timestamp_seconds: scheduled(upgrade.localUpgradeTime),
    avax_node_upgrade_mode_timestamp_seconds: scheduled(upgrade.modeUpgradeTime),
    avax_node_upgrade_mode_stake_ratio: known(mode, () => ratio(upgrade.modeUpgradeWeightPercentage)),
  });
}
