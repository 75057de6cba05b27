import type { Series } from "./exposition.ts";
import { recordedName, type FleetNode } from "./fleet.ts";
import { expecting, given, json, result, type Expected } from "./reading.ts";

/** Quorum and forks of a network, by its reference node. */

type Validator = {
  readonly nodeID: string;
  readonly weight: string;
  readonly delegatorWeight?: string;
  readonly balance?: string;
};
type Peer = { readonly nodeID: string; readonly trackedSubnets: readonly string[] };
type Checks = Readonly<Record<string, { readonly error?: string }>>;

/** The facts of the network whose reference node this is. */
export function expectedQuorum(node: FleetNode): readonly Series[] {
  const expected = expecting({ network: node.network });
  for (const { id, recorded } of [{ id: "primary", recorded: "primary" }, ...node.subnets]) {
    expected.add("avax_subnet_quorum_requirement_ratio", { subnet: id }, requirementOf(node, id));
    if (recorded !== "unknown") addWeights(expected, node, id, recorded);
    // A subnet without weight has no quorum.
    else expected.add("avax_subnet_connected_weight_ratio", { subnet: id }, 0);
  }
  addForks(expected, node, "C", "evm.");
  for (const { label } of node.subnets.flatMap(({ chains }) => chains))
    addForks(expected, node, label, `evm.${recordedName(label)}.`);
  return expected.series();
}

/** The percentage in the text of any node of the network about a chain of the subnet, else 80 %. */
function requirementOf({ group, subnets }: FleetNode, subnet: string): number {
  const chains =
    subnet === "primary"
      ? ["P", "X", "C"]
      : subnets.filter(({ id }) => id === subnet).flatMap((each) => each.chains.map(({ id }) => id));
  const named = group.flatMap((recording) => {
    const { checks } = json<{ checks: Checks }>(recording, "health.get");
    return chains.flatMap((chain) => {
      const [, text] = checks[chain]?.error?.split("required at least ") ?? [];
      return text === undefined ? [] : [Number.parseFloat(text) / 100];
    });
  });
  return named.length === 0 ? 0.8 : Math.max(...named);
}

function addWeights(expected: Expected, { recording, nodeId }: FleetNode, subnet: string, recorded: string): void {
  const set = result<{ validators: readonly Validator[] }>(recording, `platform.getCurrentValidators.${recorded}`);
  if (set === undefined) return;
  const { peers } = given<{ peers: readonly Peer[] }>(recording, "info.peers");
  const isConnected = ({ nodeID }: Validator) =>
    nodeID === nodeId ||
    peers.some((peer) => peer.nodeID === nodeID && (subnet === "primary" || peer.trackedSubnets.includes(subnet)));
  const weigh = (validators: readonly Validator[]) =>
    validators.reduce((sum, { weight, delegatorWeight }) => sum + Number(weight) + Number(delegatorWeight ?? 0), 0);
  const active = set.validators.filter(({ balance }) => balance !== "0");
  const total = weigh(set.validators);
  expected.add("avax_subnet_active_weight_ratio", { subnet }, weigh(active) / total);
  // A node without peers is no witness of who is connected.
  if (peers.length === 0) return;
  expected.add("avax_subnet_connected_weight_ratio", { subnet }, weigh(active.filter(isConnected)) / total);
}

const YEAR_9999 = 253_399_622_400;

/** @param prefix beginning of the names of the chain's answers */
function addForks(expected: Expected, { recording }: FleetNode, chain: string, prefix: string): void {
  const config = result<Record<string, unknown>>(recording, `${prefix}eth_getChainConfig`) ?? {};
  for (const [key, time] of Object.entries(config)) {
    const fork = key.replace(/(Block)?(Time|Timestamp)$/, "");
    if (fork === key || typeof time !== "number" || time === YEAR_9999) continue;
    expected.add("avax_evm_fork_activation_timestamp_seconds", { chain, fork }, time);
  }
}
