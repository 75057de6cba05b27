import { otherKey, proofOf, publicKeyOf } from "../encoding/bls.ts";
import {
  AVAX,
  delegations,
  isL1,
  PRIMARY,
  validationsOf,
  type Delegation,
  type L1Validation,
  type GenesisMember,
  type SubnetChain,
} from "./genesis.ts";
import { goJson, percent } from "../encoding/gotime.ts";
import { isId, isNodeId, makeId } from "../encoding/ids.ts";
import { heightOf } from "./heights.ts";
import { balanceOf } from "./l1.ts";
import {
  behaviourAt,
  heliconActive,
  largeDelegation,
  linked,
  remember,
  rosterAt,
  stakeOf,
  type Stake,
} from "./network.ts";
import { observedUptime } from "./uptime.ts";
import { BAD_ARGUMENT, fail, ok, since, textParam, textsParam, u64, type SimulatedMethod, type View } from "./wire.ts";

/** platform.getCurrentValidators: records of every kind. */

const owner = (...addresses: string[]): unknown => ({
  locktime: "0",
  threshold: addresses.length === 0 ? "0" : "1",
  addresses: addresses.map((a) => `P-${a}`),
});

/** Reward in nAVAX for a period in seconds; about 8 % a year. */
const reward = (weight: number, seconds: number): string =>
  u64(Math.floor(((weight / AVAX) * 0.08 * seconds * AVAX) / (365 * 86_400)));

type StakedMember = GenesisMember & { readonly stake: Stake };

function signer(view: View, { index }: GenesisMember): unknown {
  const { seed } = view.network.world.settings;
  const [publicKey, proof] = [publicKeyOf(seed, index), proofOf(seed, index)];
  // The specification misspells the key; real nodes do not.
  return view.dialect === "spec" ? { publicKey, proofOfPosession: proof } : { publicKey, proofOfPossession: proof };
}

/** Whether a stake is auto-renewed, which exists since Helicon. */
const isRenewed = ({ network, index: observer, at }: View, { autoRenewed, index }: GenesisMember): boolean =>
  (autoRenewed || behaviourAt(network, index, at).stake === "renewing") && heliconActive(network, observer, at);

/** The parts of a Primary Network record before and after the fields that depend on the observer. */
function recordParts(view: View, member: StakedMember): readonly [before: string, after: string] {
  const { stake, weight } = member;
  const real = view.dialect === "avalanchego";
  const rewards = owner(member.owner);
  const before = {
    txID: makeId(view.network.world.settings.seed, "stake", member.index, stake.period),
    startTime: u64(stake.start),
    endTime: u64(stake.end),
    weight: u64(weight),
    nodeID: member.nodeId,
    ...(real && !since(view, "1.12.2") ? { stakeAmount: u64(weight) } : {}),
    ...(real && !since(view, "1.13.1") ? { rewardOwner: rewards } : {}),
    validationRewardOwner: rewards,
    delegationRewardOwner: rewards,
    potentialReward: reward(weight, stake.end - stake.start),
    ...(real ? { accruedDelegateeReward: "0" } : {}),
    delegationFee: member.fee.toFixed(4),
  };
  const renewal = {
    validatorAuthority: rewards,
    nextPeriod: u64(stake.end - stake.start),
    autoCompoundRewardShares: "250000",
  };
  const renewed = real && isRenewed(view, member);
  const after = {
    ...(member.legacy ? {} : { signer: signer(view, member) }),
    ...(renewed ? renewal : {}),
    delegatorCount: u64(member.delegators),
    delegatorWeight: u64(member.delegated),
  };
  return [`${goJson(before).slice(0, -1)},`, goJson(after).slice(1)];
}

/** JSON text of a Primary Network record on a node. Its parts are cached, because sets of thousands are requested often. */
function recordText(view: View, member: StakedMember): string {
  const { network, index, at, dialect, version } = view;
  const renewing = isRenewed(view, member) ? 1 : 0;
  const { delegations: own } = behaviourAt(network, member.index, at);
  const key = `record:${member.index}:${dialect}:${version}:${renewing}:${own}`;
  const [before, after] = remember(network, key, member.stake.end, () => recordParts(view, member));
  const uptime = percent(observedUptime(network, index, member.index, at));
  return `${before}"uptime":"${uptime}","connected":${String(linked(network, index, member.index, at))},${after}`;
}

function delegatorRecord(view: View, member: GenesisMember, delegation: Delegation): unknown {
  return {
    txID: delegation.txId,
    startTime: u64(delegation.start),
    endTime: u64(delegation.end),
    weight: u64(delegation.weight),
    nodeID: member.nodeId,
    ...(view.dialect === "avalanchego" && !since(view, "1.12.2") ? { stakeAmount: u64(delegation.weight) } : {}),
    rewardOwner: owner(delegation.owner),
    potentialReward: reward(delegation.weight, delegation.end - delegation.start),
  };
}

function primaryRecords(view: View, wanted: ReadonlyArray<string>): string[] {
  const { network, at } = view;
  const { validators } = rosterAt(network, at);
  if (wanted.length === 0) {
    // Only the last set is cached: the reference node gets several requests for it within a second.
    const stamp = Math.floor(at / 1000) * network.world.settings.nodes + view.index;
    return remember(network, "set", stamp, () => [validators.map((member) => recordText(view, member)).join(",")]);
  }
  const requested = new Set(wanted);
  return validators
    .filter(({ nodeId }) => requested.has(nodeId))
    .map((member) => {
      const text = recordText(view, member);
      // Only a request for a single node lists delegators.
      if (wanted.length !== 1) return text;
      const large = largeDelegation(network, member.index, at) ?? [];
      // The roster counts the large one.
      const small = network.world.members[member.index] ?? member;
      const list = delegations(network.world, small, member.stake.start, member.stake.end).concat(large);
      return `${text.slice(0, -1)},"delegators":${goJson(list.map((delegation) => delegatorRecord(view, member, delegation)))}}`;
    });
}

function permissionedRecords({ network, at }: View, wanted: ReadonlyArray<string>): string[] {
  const { members, permissioned, settings } = network.world;
  return permissioned.flatMap((index) => {
    const member = members[index];
    const stake = stakeOf(network, index, at);
    if (member === undefined || stake === undefined || (wanted.length > 0 && !wanted.includes(member.nodeId)))
      return [];
    return goJson({
      txID: makeId(settings.seed, "subnet stake", index, stake.period),
      startTime: u64(stake.start + 3600),
      endTime: u64(stake.end - 3600),
      weight: "20",
      nodeID: member.nodeId,
    });
  });
}

function registeredKey({ network, index, at }: View, member: number): string {
  const { seed } = network.world.settings;
  if (behaviourAt(network, index, at).corruptKeys) return otherKey(seed, "corrupt", member).publicKey;
  return behaviourAt(network, member, at).blsKey === "other-l1"
    ? otherKey(seed, "wrong l1", member).publicKey
    : publicKeyOf(seed, member);
}

/** An L1 record; real nodes and the specification differ only in the order of keys. */
function l1Record(view: View, validation: L1Validation): Record<string, unknown> {
  const { network, index, at } = view;
  const member = network.world.members[validation.member];
  const address = validation.ownerless || member === undefined ? [] : [member.owner];
  return {
    nodeID: member?.nodeId ?? "",
    weight: u64(validation.weight),
    startTime: u64(network.world.settings.start / 1000 - 8 * 86_400),
    validationID: validation.validationId,
    publicKey: registeredKey(view, validation.member),
    remainingBalanceOwner: owner(...address),
    deactivationOwner: owner(...address),
    minNonce: "0",
    balance: u64(balanceOf(network, index, validation, at)),
  };
}

function l1Records(view: View, chain: SubnetChain, wanted: ReadonlyArray<string>): string[] {
  const { world } = view.network;
  // Earlier releases have no L1 records.
  if (view.dialect === "avalanchego" && !since(view, "1.12.2")) return [];
  return validationsOf(world, chain)
    .filter(({ member }) => wanted.length === 0 || wanted.includes(world.members[member]?.nodeId ?? ""))
    .map((validation) => goJson(l1Record(view, validation)));
}

export const getCurrentValidators: SimulatedMethod = (view, params) => {
  const subnet = textParam(params, "subnetID");
  const wanted = textsParam(params, "nodeIDs");
  if (behaviourAt(view.network, view.index, view.at).setsRefused) return fail("not allowed");
  if (subnet === undefined || wanted === undefined) return fail(BAD_ARGUMENT);
  if ((subnet !== "" && !isId(subnet)) || !wanted.every(isNodeId)) return fail(BAD_ARGUMENT);
  const { world } = view.network;
  const unique = [...new Set(wanted)];
  const known = world.subnets.find(({ id }) => id === subnet);
  const records =
    subnet === "" || subnet === PRIMARY
      ? primaryRecords(view, unique)
      : known === undefined
        ? []
        : isL1(world, known.chain)
          ? l1Records(view, known.chain, unique)
          : permissionedRecords(view, unique);
  return { json: `{"validators":[${records.join(",")}]}` };
};

/** platform.getL1Validator: one validation by its ID; only on real nodes. */
export const getL1Validator: SimulatedMethod = (view, params) => {
  const id = textParam(params, "validationID");
  if (id === undefined || (id !== "" && !isId(id))) return fail(BAD_ARGUMENT);
  const { validations, subnets } = view.network.world;
  const validation = validations.find(({ validationId }) => validationId === id);
  if (validation === undefined) return fail(`fetching L1 validator ${goJson(id)} failed: not found`);
  const height = u64(heightOf(view.network, view.index, "P", view.at));
  const subnetID = subnets.find(({ chain }) => chain === validation.chain)?.id;
  return ok({ ...l1Record(view, validation), subnetID, height });
};
