import { recordedName, type FleetNode } from "./fleet.ts";
import type { Series } from "./exposition.ts";
import {
  expecting,
  given,
  json,
  known,
  ratio,
  result,
  tally,
  unixSeconds,
  uptimeRange,
  UPTIME_RANGES,
  type Expected,
} from "./reading.ts";

type Peer = {
  readonly nodeID: string;
  readonly version: string;
  readonly lastSent: string;
  readonly lastReceived: string;
  readonly observedUptime: string;
  readonly trackedSubnets: readonly string[];
  readonly benched: readonly string[];
};
type Version = {
  readonly version: string;
  readonly databaseVersion: string;
  readonly rpcProtocolVersion: string;
  readonly gitCommit: string;
  readonly vmVersions: Readonly<Record<string, string>>;
};

/** The Info API of a recorded node and its P-Chain height, as series. */
export function expectedNode(node: FleetNode): readonly Series[] {
  const expected = expecting({ node: node.name, network: node.network });
  addIdentity(expected, node);
  addChains(expected, node);
  addPeers(expected, node);
  const uptime = result<{ rewardingStakePercentage: string; weightedAveragePercentage: string }>(
    node.recording,
    "info.uptime",
  );
  expected.own({
    avax_node_is_validator: uptime !== undefined,
    avax_node_uptime_rewarding_stake_ratio: known(uptime?.rewardingStakePercentage, ratio),
    avax_node_uptime_weighted_average_ratio: known(uptime?.weightedAveragePercentage, ratio),
  });
  return expected.series();
}

function addIdentity(expected: Expected, { recording }: FleetNode): void {
  const { nodeID, nodePOP } = given<{ nodeID: string; nodePOP: { publicKey: string } }>(recording, "info.getNodeID");
  const { version, databaseVersion, rpcProtocolVersion, gitCommit, vmVersions } = given<Version>(
    recording,
    "info.getNodeVersion",
  );
  const info = {
    node_id: nodeID,
    version,
    git_commit: gitCommit,
    database_version: databaseVersion,
    rpc_protocol: rpcProtocolVersion,
    network_id: given<{ networkID: string }>(recording, "info.getNetworkID").networkID,
    network_name: given<{ networkName: string }>(recording, "info.getNetworkName").networkName,
  };
  expected.add("avax_node_configured", { node_id: nodeID }, 1);
  expected.add("avax_node_info", info, 1);
  expected.add("avax_node_bls_info", { public_key: nodePOP.publicKey }, 1);
  expected.add("avax_node_ip_info", { ip: given<{ ip: string }>(recording, "info.getNodeIP").ip }, 1);
  expected.own({ avax_node_up: 1, avax_node_id_changes_total: 0, avax_node_ip_changes_total: 0 });
  const { vms } = given<{ vms: Record<string, readonly string[]> }>(recording, "info.getVMs");
  for (const [id, [alias]] of Object.entries(vms)) {
    const vm = alias ?? id;
    expected.add("avax_vm_info", { vm_id: id, vm, version: vmVersions[vm] ?? "" }, 1);
  }
}

function addChains(expected: Expected, { recording, subnets }: FleetNode): void {
  for (const chain of ["P", "X", "C"]) {
    const { blockchainID } = given<{ blockchainID: string }>(recording, `info.getBlockchainID.${chain}`);
    expected.add("avax_chain_info", { chain, blockchain_id: blockchainID }, 1);
  }
  for (const chain of ["P", "X", "C", ...subnets.flatMap(({ chains }) => chains.map(({ label }) => label))]) {
    // "There is no chain" is an error: not bootstrapped.
    const answer = result<{ isBootstrapped: boolean }>(recording, `info.isBootstrapped.${recordedName(chain)}`);
    expected.add("avax_chain_bootstrapped", { chain }, answer?.isBootstrapped ?? false);
  }
  for (const [chain, subnet] of [
    ...["P", "X", "C"].map((label) => [label, "primary"] as const),
    ...subnets.flatMap(({ id, chains }) => chains.map(({ label }) => [label, id] as const)),
  ]) {
    const status = result<{ status: string }>(recording, `platform.getBlockchainStatus.${recordedName(chain)}`)?.status;
    if (status !== undefined) expected.add("avax_chain_state", { chain, subnet, state: status }, 1);
  }
  const clock = result<{ timestamp: string }>(recording, "platform.getTimestamp");
  expected.add("avax_platform_clock_timestamp_seconds", {}, known(clock?.timestamp, unixSeconds));
}

function addPeers(expected: Expected, { recording, subnets, watched }: FleetNode): void {
  const { numPeers, peers } = given<{ numPeers: string; peers: readonly Peer[] }>(recording, "info.peers");
  const observed = tally(peers.map(({ observedUptime }) => [uptimeRange(observedUptime), 1]));
  const latest = Math.max(
    ...peers.flatMap(({ lastSent, lastReceived }) => [unixSeconds(lastSent) ?? 0, unixSeconds(lastReceived) ?? 0]),
  );
  expected.add("avax_node_peers", {}, Number(numPeers));
  for (const [version, count] of tally(peers.map(({ version }) => [version, 1])))
    expected.add("avax_node_peers_by_version", { version }, count);
  for (const { id } of subnets) {
    const tracking = peers.filter(({ trackedSubnets }) => trackedSubnets.includes(id));
    expected.add("avax_node_peers_tracking_subnet", { subnet: id }, tracking.length);
  }
  for (const [chain, count] of tally(peers.flatMap(({ benched }) => benched.map((each) => [each, 1] as const))))
    expected.add("avax_node_peers_benched", { chain }, count);
  const silent = peers.filter(({ lastReceived }) => latest - (unixSeconds(lastReceived) ?? 0) > 60);
  const unobserved = peers.filter(({ observedUptime }) => observedUptime === "0");
  expected.own({ avax_node_peers_silent: silent.length, avax_node_peers_without_observation: unobserved.length });
  for (const range of UPTIME_RANGES)
    expected.add("avax_node_peers_by_observed_uptime", { range }, observed.get(range) ?? 0);
  for (const { nodeID, lastReceived } of peers) {
    if (watched.includes(nodeID))
      expected.add("avax_peer_last_received_timestamp_seconds", { node_id: nodeID }, unixSeconds(lastReceived));
  }
}

/** Endpoints of every node. */
const POLLED = [
  "health",
  "health.readiness",
  "health.liveness",
  "info.getNodeID",
  "info.getNodeIP",
  "info.getNodeVersion",
  "info.getNetworkID",
  "info.getNetworkName",
  "info.getVMs",
  "info.getBlockchainID",
  "info.isBootstrapped",
  "info.peers",
  "info.uptime",
  "platform.getHeight",
  "platform.getCurrentValidators.watched",
  "platform.getCurrentValidators.delegators",
];
const POLLED_OF_REFERENCE_NODES = ["platform.getCurrentValidators", "info.acps"];

/** The exporter's own record of a node: a P-Chain that is not bootstrapped is the only endpoint that fails. */
export function expectedPolling({ name, network, recording, subnets, isReferenceNode }: FleetNode): readonly Series[] {
  const expected = expecting({ node: name, network });
  const bootstrapped = json<{ result: { isBootstrapped: boolean } }>(recording, "info.isBootstrapped.P").result
    .isBootstrapped;
  const polled = [
    ...POLLED,
    ...(subnets.length > 0 ? ["health.subnet"] : []),
    ...(isReferenceNode ? POLLED_OF_REFERENCE_NODES : []),
  ];
  for (const endpoint of polled)
    expected.add("avax_endpoint_up", { api_endpoint: endpoint }, bootstrapped || !endpoint.startsWith("platform."));
  expected.add("avax_network_reference_node", {}, isReferenceNode ? 1 : undefined);
  return expected.series();
}
