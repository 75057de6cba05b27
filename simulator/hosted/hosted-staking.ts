import { otherKey } from "../encoding/bls.ts";
import { chance, makeId, ZERO_ID } from "../encoding/ids.ts";
import { AVAX_ASSET, eventsOf, money, units, walletOf, type Events, type HostedView } from "./hosted-world.ts";

/** Simulated Data API: staking periods, rewards, outputs and proposed blocks, newest record first. */

const DAY = 86_400;
const STAKE = 2000;

/**
 * Staking periods of a node: pending, active, completed with a reward, completed without one, and removed from a subnet. For the
 * node `view.denied` also one that ended a few days ago without a reward.
 */
export function validationsOf(view: HostedView, nodeId: string): readonly object[] {
  const { start, dialect, seed } = view;
  const real = dialect === "real";
  const base = (kind: string, subnetId: string, from: number, to: number, amount = units(STAKE, 9)) => ({
    txHash: makeId(seed, nodeId, kind),
    nodeId,
    subnetId,
    amountStaked: amount,
    startTimestamp: start + from * DAY,
    endTimestamp: start + to * DAY,
  });
  const { publicKey, proof } = otherKey(nodeId);
  const paid = (coins: number) => ({
    validationRewardAmount: units(coins, 9),
    delegationRewardAmount: units(coins / 20, 9),
    ...(coins === 0 && real
      ? {}
      : { rewardAddresses: [walletOf("mainnet", nodeId)], rewardTxHash: makeId(seed, nodeId, "reward", coins) }),
  });
  const delegations = { delegatorCount: 12, amountDelegated: units(300, 9) };
  const active = {
    ...base("active", ZERO_ID, -30, 300),
    delegationFee: real ? "2.0000000000000000" : "2.0000",
    blsCredentials: { publicKey, proofOfPossession: proof },
    ...delegations,
    validationStatus: "active",
    ...(real
      ? {
          stakePercentage: 0.0012,
          uptimePerformance: Number((99 + chance(seed, nodeId, "uptime")).toFixed(4)),
          avalancheGoVersion: "avalanchego/1.15.0",
          delegationCapacity: units(7700, 9),
          potentialRewards: paid(146.25),
          validatorHealth: {
            reachabilityPercent: 100,
            benchedPChainRequestsPercent: 0,
            benchedXChainRequestsPercent: 0,
            benchedCChainRequestsPercent: 0.5,
          },
          geolocation: null,
        }
      : {}),
  };
  return [
    { ...base("pending", ZERO_ID, 310, 500), delegationFee: "2.0000", validationStatus: "pending" },
    active,
    ...(view.denied === nodeId
      ? [{ ...base("latest", ZERO_ID, -30.5, -4), ...delegations, rewards: paid(0), validationStatus: "completed" }]
      : []),
    { ...base("done", ZERO_ID, -330, -31), ...delegations, rewards: paid(138.5), validationStatus: "completed" },
    { ...base("denied", ZERO_ID, -700, -340), delegatorCount: 0, rewards: paid(0), validationStatus: "completed" },
    {
      ...base("removed", makeId("subnet", 1), -600, -100, "20"),
      validationStatus: "removed",
      ...(real ? { removeTxHash: makeId(seed, nodeId, "remove"), removeTimestamp: start - 400 * DAY } : {}),
    },
  ];
}

const TYPES = ["VALIDATOR", "DELEGATOR", "VALIDATOR_FEE"] as const;

const assetOf = (network: string, amount: string) => ({
  assetId: network === "mainnet" ? AVAX_ASSET.mainnet : AVAX_ASSET.fuji,
  name: "Avalanche",
  symbol: "AVAX",
  denomination: 9,
  type: "secp256k1",
  amount,
});

/** Six paid rewards of a node or an address. */
export function rewardsOf(
  view: HostedView,
  network: string,
  nodeId: string,
  address: string,
  currency: string,
): readonly object[] {
  return Array.from({ length: 6 }, (_, i) => ({
    addresses: [address],
    txHash: makeId(view.seed, nodeId, address, "stake", i),
    amountStaked: units(STAKE, 9),
    nodeId,
    startTimestamp: view.start - (i + 1) * 30 * DAY,
    endTimestamp: view.start - i * 30 * DAY - DAY,
    rewardType: TYPES[i % 3],
    utxoId: makeId(view.seed, nodeId, address, "reward", i),
    outputIndex: 2,
    reward: { ...assetOf(network, units(10 + i, 9)), historicalPrice: money(view, 20, currency) },
    rewardTxHash: makeId(view.seed, nodeId, address, "rewardTx", i),
  }));
}

/** Two active delegations of an address or on a node. */
export function pendingRewardsOf(
  view: HostedView,
  network: string,
  nodeId: string | undefined,
  address: string,
): readonly object[] {
  return [0, 1].map((i) => ({
    addresses: [address],
    txHash: makeId(view.seed, nodeId ?? "", address, "pending", i),
    amountStaked: units(25, 9),
    nodeId: nodeId ?? `NodeID-${makeId("n", i).slice(0, 33)}`,
    startTimestamp: view.start - 10 * DAY,
    endTimestamp: view.start + (20 + i) * DAY,
    rewardType: "DELEGATOR",
    progress: 33.3,
    estimatedReward: assetOf(network, units(1.5, 9)),
  }));
}

/** Outputs of an address: twelve free ones, a locked one, on P a stake, and on X one of another asset. */
export function utxosOf(view: HostedView, network: string, chain: string, address: string): readonly object[] {
  const free = Array.from({ length: 12 }, (_, i) => ({ coins: i + 1, lock: 0, staked: false, kind: `free${i}` }));
  const all = [
    ...free,
    { coins: 50, lock: view.start + 90 * DAY, staked: false, kind: "locked" },
    ...(chain === "p-chain" ? [{ coins: STAKE, lock: 0, staked: true, kind: "stake" }] : []),
  ];
  const chainId = chain === "p-chain" ? ZERO_ID : makeId("blockchain", chain);
  const records = all.map(({ coins, lock, staked, kind }, i) => {
    const amount = units(coins, 9);
    const shared = {
      addresses: [address],
      asset: assetOf(network, amount),
      consumedOnChainId: chainId,
      createdOnChainId: chainId,
      utxoId: makeId(view.seed, address, chain, kind),
      threshold: 1,
    };
    const created = view.start - (i + 1) * DAY;
    if (view.dialect === "real" && chain === "x-chain")
      return {
        ...shared,
        creationTxHash: makeId(kind),
        locktime: lock,
        outputIndex: String(i),
        timestamp: created,
        utxoType: "transfer",
      };
    return {
      ...shared,
      amount,
      assetId: shared.asset.assetId,
      blockNumber: String(24_000_000 + i),
      blockTimestamp: created,
      platformLocktime: lock,
      outputIndex: i,
      txHash: makeId(view.seed, address, kind, "tx"),
      staked,
      utxoType: staked ? "STAKE" : "TRANSFER",
      ...(staked
        ? {
            rewardType: "DELEGATOR",
            utxoStartTimestamp: view.start - 30 * DAY,
            utxoEndTimestamp: view.start + 60 * DAY,
          }
        : {}),
    };
  });
  if (chain !== "x-chain") return records;
  const [first] = records;
  const other = { ...assetOf(network, "1000"), assetId: makeId("asset", "other"), symbol: "AVAX", denomination: 0 };
  return [...records, { ...first, asset: other, utxoId: makeId(view.seed, address, "other") }];
}

/** Blocks that a node proposed: one every 20 minutes. */
export function proposedBlocks(view: HostedView, chain: string, nodeId: string): Events {
  return eventsOf(view, 1200, ["blocks", chain, nodeId], ({ index, at }) => ({
    blockNumber: String(24_000_000 + index),
    blockHash: makeId(view.seed, chain, nodeId, "block", index),
    parentHash: makeId(view.seed, chain, nodeId, "block", index - 1),
    blockTimestamp: at,
    blockType: "BanffStandardBlock",
    txCount: 1 + (index % 3),
    transactions: [makeId(view.seed, nodeId, "tx", index)],
    blockSizeBytes: 700 + (index % 100),
    ...(view.dialect === "spec" || index % 2 === 0
      ? {
          l1ValidatorsAccruedFees: 21_974_528,
          activeL1Validators: 241,
          currentSupply: "459817167637779183",
          proposerDetails: {
            proposerId: makeId("proposer", index),
            proposerParentId: makeId("proposer", index - 1),
            proposerNodeId: nodeId,
            proposerPChainHeight: 24_000_000 + index - 20,
            proposerTimestamp: at,
          },
        }
      : {}),
  }));
}
