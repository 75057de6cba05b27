import { heights } from "./expected-health.ts";
import type { Series } from "./exposition.ts";
import { EXPECTED_IN, subnetsOf, type FleetNode } from "./fleet.ts";
import {
  avax,
  expecting,
  given,
  known,
  ratio,
  result,
  scaled,
  tally,
  unixSeconds,
  uptimeRange,
  UPTIME_RANGES,
  type Expected,
} from "./reading.ts";

type Validator = {
  readonly nodeID: string;
  readonly weight: string;
  readonly startTime: string;
  readonly endTime?: string;
  readonly uptime?: string;
  readonly connected?: boolean;
  readonly validationRewardOwner?: { readonly addresses: readonly string[] };
  readonly delegationRewardOwner?: { readonly addresses: readonly string[] };
  readonly potentialReward?: string;
  readonly accruedDelegateeReward?: string;
  readonly delegationFee?: string;
  readonly delegatorCount?: string;
  readonly delegatorWeight?: string;
  readonly signer?: unknown;
  readonly validationID?: string;
  readonly minNonce?: string;
  readonly balance?: string;
  readonly nextPeriod?: string;
  readonly autoCompoundRewardShares?: string;
  readonly restakedValidationRewards?: string;
  readonly restakedDelegateeRewards?: string;
};

/** Validator sets that a node answers with, by the label `subnet`; nothing while its P-Chain is not bootstrapped. */
function setsOf({ recording, subnets }: FleetNode): ReadonlyArray<readonly [string, readonly Validator[]]> {
  type Set = { readonly validators: readonly Validator[] };
  const primary = result<Set>(recording, "platform.getCurrentValidators.primary");
  if (primary === undefined) return [];
  const others = subnets.map(({ id, recorded }): readonly [string, readonly Validator[]] => {
    if (recorded === "unknown") return [id, []];
    return [id, given<Set>(recording, `platform.getCurrentValidators.${recorded}`).validators];
  });
  return [["primary", primary.validators], ...others];
}

/** A node's observations of the watched validators, without members of L1s. */
export function expectedView(node: FleetNode): readonly Series[] {
  const expected = expecting({ node: node.name, network: node.network });
  for (const [subnet, validators] of setsOf(node)) {
    for (const { nodeID, uptime, connected } of validators.filter(
      (each) => node.watched.includes(each.nodeID) && each.validationID === undefined,
    )) {
      const values = { avax_validator_uptime_ratio: known(uptime, ratio), avax_validator_connected: connected };
      expected.all({ subnet, node_id: nodeID }, values);
    }
  }
  return expected.series();
}

/** Facts of the network, from the reference node. */
export function expectedNetwork(node: FleetNode): readonly Series[] {
  const expected = expecting({ network: node.network });
  const sets = setsOf(node);
  for (const [subnet, validators] of sets) {
    addSet(expected, subnet, validators);
    for (const each of validators) {
      if (each.validationID !== undefined) addMember(expected, subnet, each);
      else if (node.watched.includes(each.nodeID)) addStaker(expected, subnet, each);
    }
  }
  addActivity(expected, sets, node);
  addStake(expected, sets[0]?.[1] ?? [], node);
  addUpgradesAndProposals(expected, node);
  addBlockchains(expected, node);
  for (const { id } of node.subnets) expected.add("avax_subnet_info", { subnet: id, name: id }, 1);
  const { supply } = given<{ supply: string }>(node.recording, "platform.getCurrentSupply.primary");
  expected.add("avax_supply_avax", {}, avax(supply));
  return expected.series();
}

const sum = (amounts: ReadonlyArray<string | undefined>): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount ?? "0"), 0n);

function addSet(expected: Expected, subnet: string, validators: readonly Validator[]): void {
  expected.add("avax_validators", { subnet }, validators.length);
  if (subnet !== "primary")
    expected.add("avax_subnet_weight", { subnet }, Number(sum(validators.map(({ weight }) => weight))));
  const detailed = validators.filter(({ uptime }) => uptime !== undefined);
  if (detailed.length === 0) return;
  const ranges = tally(detailed.map(({ uptime = "" }) => [uptimeRange(uptime), 1]));
  const delegators = Number(sum(detailed.map(({ delegatorCount }) => delegatorCount)));
  expected.add("avax_validators_connected", { subnet }, detailed.filter(({ connected }) => connected).length);
  expected.add("avax_validators_delegators", { subnet }, delegators);
  for (const range of UPTIME_RANGES)
    expected.add("avax_validators_by_uptime", { subnet, range }, ranges.get(range) ?? 0);
}

function addMember(
  expected: Expected,
  subnet: string,
  { nodeID, validationID = "", balance = "", weight, minNonce = "", startTime }: Validator,
): void {
  const labels = { subnet, node_id: nodeID, validation_id: validationID };
  expected.all(labels, {
    avax_l1_validator_balance_avax: avax(balance),
    avax_l1_validator_active: balance !== "0",
    avax_l1_validator_weight: Number(weight),
    avax_l1_validator_min_nonce: Number(minNonce),
    avax_l1_validator_start_timestamp_seconds: Number(startTime),
  });
}

function addStaker(expected: Expected, subnet: string, each: Validator): void {
  const labels = { subnet, node_id: each.nodeID };
  const primary = subnet === "primary";
  const amount = (nanoAvax: string | undefined) => (primary ? known(nanoAvax, avax) : undefined);
  if (primary && each.delegatorWeight !== undefined) {
    const [own, delegated] = [BigInt(each.weight), BigInt(each.delegatorWeight)];
    const room = [5n * own, 3_000_000_000_000_000n].sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n;
    const left = room - own - delegated;
    const isOpen = Number(each.endTime) - Date.now() / 1000 > 86_400;
    expected.add("avax_validator_delegation_capacity_avax", labels, avax(left < 0n || !isOpen ? 0n : left));
  }
  for (const [kind, owner] of [
    ["validation", each.validationRewardOwner],
    ["delegation", each.delegationRewardOwner],
  ] as const)
    for (const address of owner?.addresses ?? [])
      expected.add("avax_validator_reward_address_info", { ...labels, kind, address }, 1);
  expected.all(labels, {
    avax_validator_stake_avax: amount(each.weight),
    avax_validator_subnet_weight: primary ? undefined : Number(each.weight),
    avax_validator_delegated_stake_avax: amount(each.delegatorWeight),
    avax_validator_delegators: known(each.delegatorCount, Number),
    avax_validator_delegation_fee_ratio: known(each.delegationFee, ratio),
    avax_validator_stake_start_timestamp_seconds: Number(each.startTime),
    avax_validator_stake_end_timestamp_seconds: known(each.endTime, Number),
    avax_validator_potential_reward_avax: amount(each.potentialReward),
    avax_validator_accrued_delegatee_reward_avax: amount(each.accruedDelegateeReward),
    avax_validator_bls_registered: primary ? each.signer !== undefined : undefined,
    avax_validator_next_period_seconds: known(each.nextPeriod, Number),
    avax_validator_restaked_rewards_avax:
      each.restakedValidationRewards === undefined
        ? undefined
        : avax(sum([each.restakedValidationRewards, each.restakedDelegateeRewards])),
    avax_validator_auto_compound_ratio: known(each.autoCompoundRewardShares, (shares) => scaled(shares, -6)),
  });
}

/** 1 for every set that a watched validator is in; one that is configured for this network and in no set is missing from the Primary Network. */
function addActivity(expected: Expected, sets: ReturnType<typeof setsOf>, { watched, network }: FleetNode): void {
  for (const nodeId of watched) {
    const subnets = sets
      .filter(([, validators]) => validators.some(({ nodeID }) => nodeID === nodeId))
      .map(([subnet]) => subnet);
    for (const subnet of subnets) expected.add("avax_validator_in_set", { subnet, node_id: nodeId }, 1);
    if (subnets.length === 0 && EXPECTED_IN[network]?.includes(nodeId) === true)
      expected.add("avax_validator_in_set", { subnet: "primary", node_id: nodeId }, 0);
  }
}

/** Nanoavax, own and delegated. */
const stakeOf = (validators: readonly Validator[]): bigint =>
  sum(validators.flatMap(({ weight, delegatorWeight }) => [weight, delegatorWeight]));

/** Nanoavax of the Primary Network's stake. */
export const totalStake = (node: FleetNode): bigint => stakeOf(setsOf(node)[0]?.[1] ?? []);

function addStake(expected: Expected, primary: readonly Validator[], { recording, nodeId }: FleetNode): void {
  const { peers } = given<{ peers: ReadonlyArray<{ nodeID: string; version: string }> }>(recording, "info.peers");
  const { version: own } = given<{ version: string }>(recording, "info.getNodeVersion");
  const versionOf = (id: string) =>
    id === nodeId ? own : (peers.find(({ nodeID }) => nodeID === id)?.version ?? "not connected");
  const [staked, delegated] = [primary.map(({ weight }) => weight), primary.map((each) => each.delegatorWeight)];
  expected.add("avax_validators_stake_avax", { staker: "validator" }, avax(sum(staked)));
  expected.add("avax_validators_stake_avax", { staker: "delegator" }, avax(sum(delegated)));
  for (const [version, those] of Map.groupBy(primary, ({ nodeID }) => versionOf(nodeID)))
    expected.add("avax_validators_stake_by_version_avax", { version }, avax(stakeOf(those)));
}

function addUpgradesAndProposals(expected: Expected, { recording }: FleetNode): void {
  for (const [name, time] of Object.entries(given<Record<string, unknown>>(recording, "info.upgrades"))) {
    if (!name.endsWith("Time") || typeof time !== "string" || time.startsWith("9999-")) continue;
    expected.add("avax_upgrade_activation_timestamp_seconds", { upgrade: name.slice(0, -4) }, unixSeconds(time));
  }
  type Proposal = { supportWeight: string; objectWeight: string; abstainWeight: string };
  for (const [acp, votes] of Object.entries(given<{ acps: Record<string, Proposal> }>(recording, "info.acps").acps)) {
    for (const stance of ["support", "object", "abstain"] as const)
      expected.add("avax_acp_stake_avax", { acp, stance }, avax(votes[`${stance}Weight`]));
  }
}

type Blockchain = { readonly id: string; readonly name: string; readonly subnetID: string; readonly vmID: string };

/** Polled only in a network with configured subnets. */
function addBlockchains(expected: Expected, { recording, subnets }: FleetNode): void {
  if (subnets.length === 0) return;
  const { blockchains } = given<{ blockchains: readonly Blockchain[] }>(recording, "platform.getBlockchains");
  expected.add("avax_blockchains", {}, blockchains.length);
  for (const { id: subnet, chains } of subnets) {
    const own = blockchains.filter(({ subnetID }) => subnetID === subnet);
    expected.add("avax_subnet_blockchains", { subnet }, own.length);
    for (const { id, name, vmID } of own) {
      const chain = chains.find((each) => each.id === id)?.label ?? id;
      expected.add("avax_subnet_blockchain_info", { subnet, chain, name, vm_id: vmID }, 1);
    }
  }
}

/**
 * Blocks behind, and the highest height of the network. P and EVM chains are polled repeatedly, so that in the end every node
 * has answered after every other; X's heights come from checks that never run again, so their age is unknown.
 */
export function expectedLag(node: FleetNode): readonly Series[] {
  const expected = expecting({ network: node.network });
  const byNode = node.group.map((recording) => [recording.name, heights(recording, subnetsOf(recording))] as const);
  for (const { chain, height, isAsked } of byNode.find(([name]) => name === node.name)?.[1] ?? []) {
    const all = byNode.map(([name, list]) => [name, list.find((each) => each.chain === chain)] as const);
    const others = all.flatMap(([name, found]) => (name === node.name || found === undefined ? [] : [found]));
    const lag =
      !isAsked || others.length === 0
        ? undefined
        : Math.max(0, Math.max(...others.map((other) => other.height)) - height);
    expected.add("avax_chain_lag_blocks", { node: node.name, chain }, lag);
    if (!node.isReferenceNode) continue;
    const highest = Math.max(...all.map(([, found]) => found?.height ?? 0));
    expected.add("avax_chain_highest_height", { chain }, highest);
  }
  return expected.series();
}
