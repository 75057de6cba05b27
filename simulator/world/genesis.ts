import { bech32, chance, digest, makeId, makeNodeId, ZERO_ID } from "../encoding/ids.ts";
import type { SimulatorSettings } from "./options.ts";

/** Constant facts of the network: members, stakes, chains and owners. */

export type ChainName = "P" | "X" | "C" | SubnetChain;
/** The chain of each subnet. */
export type SubnetChain = "perm1" | "l1one";

export const isSubnetChain = (chain: ChainName): chain is SubnetChain => chain === "perm1" || chain === "l1one";

/** A node or validator. The first `nodes` members listen; the first `validators` members validate. */
export type GenesisMember = {
  readonly index: number;
  readonly nodeId: string;
  /** A record from before BLS keys, without a signer. */
  readonly legacy: boolean;
  readonly autoRenewed: boolean;
  readonly version: string;
  readonly ip: string;
  /** Own stake and delegations in nAVAX; both below 2^53. */
  readonly weight: number;
  readonly delegated: number;
  readonly delegators: number;
  /** Percent. */
  readonly fee: number;
  /** Start of the first stake period (Unix seconds), and length of each (seconds). */
  readonly stakeStart: number;
  readonly stakeSeconds: number;
  /** Uptime before the start of the simulation, 0 to 1. */
  readonly reliability: number;
  readonly owner: string;
};

/** One validation of an L1; a member may have several. */
export type L1Validation = {
  readonly chain: SubnetChain;
  readonly member: number;
  readonly validationId: string;
  readonly weight: number;
  /** nAVAX at the start; 0 is inactive. */
  readonly balance: number;
  readonly ownerless: boolean;
};

type Subnet = { readonly id: string; readonly name: string; readonly chain: SubnetChain; readonly chainId: string };

export type World = {
  readonly settings: SimulatorSettings;
  readonly members: ReadonlyArray<GenesisMember>;
  readonly subnets: readonly [Subnet, Subnet];
  readonly chainIds: Readonly<Record<ChainName, string>>;
  readonly assetId: string;
  /** Human-readable part of addresses. */
  readonly hrp: string;
  /** Members of the permissioned subnet, if there is one. */
  readonly permissioned: ReadonlyArray<number>;
  readonly validations: ReadonlyArray<L1Validation>;
};

/** Seconds between blocks. */
const BLOCK_SECONDS: Readonly<Record<ChainName, number>> = { P: 10, X: 3600, C: 2, perm1: 5, l1one: 5 };
/** Age of block 0 of every chain at the start of the simulation. */
const CHAIN_AGE_MS = 40 * 86_400_000;

/** Milliseconds between the blocks of a chain. */
export const blockMs = (chain: ChainName): number => BLOCK_SECONDS[chain] * 1000;
/** Time of block 0 of every chain, Unix milliseconds. */
export const genesisMs = ({ settings }: World): number => settings.start - CHAIN_AGE_MS;

/** nAVAX per AVAX. */
export const AVAX = 1_000_000_000;
const DAY = 86_400;
/** Stake with delegations of each validator with the option `equalStakes`, in nAVAX. */
const EQUAL_STAKE = 1_500_000 * AVAX;

export const PRIMARY = ZERO_ID;
export const SUBNET_EVM = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy";
/** Validators of each subnet: enough for every case, and cheap in a network of 1,000 nodes. */
const SUBNET_SIZE = 12;

type Known = { readonly hrp: string; readonly C: string; readonly X: string; readonly asset: string };
const KNOWN: Readonly<Record<number, Known>> = {
  1: {
    hrp: "avax",
    C: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
    X: "2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM",
    asset: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  },
  12345: {
    hrp: "local",
    C: "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC",
    X: "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed",
    asset: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
  },
};

/** The network at its start. */
export function createWorld(settings: SimulatorSettings): World {
  const { seed, network } = settings;
  const known: Known = KNOWN[network.id] ?? {
    hrp: network.id === 5 ? "fuji" : "custom",
    C: makeId(network.id, "C"),
    X: makeId(network.id, "X"),
    asset: makeId(network.id, "asset"),
  };
  const members = Array.from({ length: Math.max(settings.nodes, settings.validators) }, (_, i) =>
    createMember(settings, known.hrp, i),
  );
  const subnet = (chain: SubnetChain, name: string): Subnet => ({
    id: makeId(seed, "subnet", chain),
    name,
    chain,
    chainId: makeId(seed, "chain", chain),
  });
  const subnets = [subnet("perm1", settings.secondL1 ? "second L1" : "permissioned"), subnet("l1one", "L1")] as const;
  const joined = members.slice(0, Math.min(SUBNET_SIZE, settings.validators)).map(({ index }) => index);
  return {
    settings,
    members,
    subnets,
    chainIds: { P: PRIMARY, C: known.C, X: known.X, perm1: subnets[0].chainId, l1one: subnets[1].chainId },
    assetId: known.asset,
    hrp: known.hrp,
    permissioned: settings.secondL1 ? [] : joined,
    validations: [
      ...createValidations(settings, joined),
      ...(settings.secondL1 ? joined.slice(3).map((member) => secondValidation(seed, member)) : []),
    ],
  };
}

/** Whether the subnet of a chain is an L1. */
export const isL1 = ({ settings }: World, chain: SubnetChain): boolean => chain === "l1one" || settings.secondL1;

/** The validations of the L1 of a chain. */
export const validationsOf = ({ validations }: World, chain: SubnetChain): ReadonlyArray<L1Validation> =>
  validations.filter((validation) => validation.chain === chain);

/** The release of one validator in seven: the one before Helicon, or the first after it. */
const otherRelease = ({ heliconTime, start }: SimulatorSettings): string =>
  heliconTime > start / 1000 ? "1.14.2" : "1.15.1";

/** Each of the last validators that are not nodes has one special case of a record. */
function createMember(settings: SimulatorSettings, hrp: string, index: number): GenesisMember {
  const { seed, nodes, validators, start, stakeSeconds: length } = settings;
  const random = (label: string): number => chance(seed, label, index);
  const fromLast = validators - 1 - index;
  const isSpecial = (position: number): boolean => !settings.tidy && index >= nodes && fromLast === position;
  const startSeconds = start / 1000;
  const young = isSpecial(2);
  const delegators = index === 0 ? settings.delegators : Math.floor(random("delegators") * 5);
  const delegated = delegators * 25 * AVAX;
  return {
    index,
    nodeId: makeNodeId(seed, "node", index),
    legacy: isSpecial(0),
    autoRenewed: isSpecial(1),
    version: settings.versions[index] ?? (index % 7 === 6 ? otherRelease(settings) : settings.version),
    ip: `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
    weight: settings.equalStakes
      ? EQUAL_STAKE - delegated
      : 1_000_000 * AVAX + Math.floor(random("weight") * 1_000_000 * AVAX),
    delegated,
    delegators,
    fee: [2, 5, 6.25, 12.5, 100][Math.floor(random("fee") * 5)] ?? 2,
    stakeStart:
      startSeconds - (young ? 900 : Math.floor(length === undefined ? (10 + 20 * random("age")) * DAY : length / 20)),
    stakeSeconds: length ?? (isSpecial(4) ? 33 * DAY : Math.floor((90 + 270 * random("period")) * DAY)),
    reliability: young ? 0.694 : isSpecial(3) ? 0.751 : 0.996 + 0.004 * random("reliability"),
    owner: bech32(hrp, digest(seed, "owner", index % 5).subarray(0, 20)),
  };
}

/**
 * One active validation per member of the L1, a second one for the first member, and one without a balance. If the balance of one member runs
 * out, the L1 loses less than 20 % of its weight: its chain stays healthy.
 */
function createValidations({ seed, tidy }: SimulatorSettings, joined: ReadonlyArray<number>): L1Validation[] {
  const make = (member: number, label: string, weight: number, balance: number): L1Validation => ({
    chain: "l1one",
    member,
    validationId: makeId(seed, "validation", member, label),
    weight,
    balance,
    ownerless: label === "never-paid",
  });
  const active = joined.map((member) =>
    make(member, "first", 100, member === 1 && !tidy ? 130_000_000 : (2 + member) * AVAX),
  );
  const first = joined[0];
  const last = joined.at(-1);
  return [
    ...(last === undefined || tidy ? [] : [make(last, "never-paid", 10, 0)]),
    ...active,
    ...(first === undefined ? [] : [make(first, "second", 60, AVAX)]),
  ];
}

const secondValidation = (seed: number, member: number): L1Validation => ({
  chain: "perm1",
  member,
  validationId: makeId(seed, "validation", member, "second L1"),
  weight: 100,
  balance: (2 + member) * AVAX,
  ownerless: false,
});

export type Delegation = {
  readonly txId: string;
  readonly weight: number;
  readonly start: number;
  readonly end: number;
  readonly owner: string;
};

/** The delegations to a member in the stake period from `start` to `end` (Unix seconds). */
export function delegations(world: World, member: GenesisMember, start: number, end: number): Delegation[] {
  return Array.from({ length: member.delegators }, (_, i) => ({
    txId: makeId(world.settings.seed, "delegation", member.index, i, start),
    weight: 25 * AVAX,
    start: start + 60 + i,
    end: end - ((i * 3600) % Math.max(1, Math.floor((end - start) / 2))),
    owner: bech32(world.hrp, digest(world.settings.seed, "owner", i % 5).subarray(0, 20)),
  }));
}
