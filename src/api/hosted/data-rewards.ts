import { z } from "zod";
import { amount, maybeField, maybeTokens, moment, price } from "./data-fields.ts";
import {
  getResource,
  hostedEndpoint,
  listing,
  PAGE_SIZE,
  pageOf,
  type Dated,
  type HostedApi,
  type Query,
  type Wanted,
} from "./hosted.ts";
import { count } from "../wire.ts";

/** Data API: paid rewards and, beyond the specification, pending ones. */

const asset = z.object({ amount: maybeField(amount), denomination: maybeField(count), historicalPrice: price });

const record = z
  .object({ rewardType: z.string(), endTimestamp: moment, reward: asset })
  .transform(({ rewardType, endTimestamp, reward }) => ({
    type: rewardType.toUpperCase(),
    end: endTimestamp,
    coins: maybeTokens(reward.amount, reward.denomination),
    price: reward.historicalPrice,
  }));

export type Reward = z.output<typeof record>;

/** A payment is counted without its amount, price or time. */
const losable = (field: string) => [
  "endTimestamp",
  `${field}.amount`,
  `${field}.denomination`,
  `${field}.historicalPrice`,
];

export const HistoricalRewards = getResource(
  "/v1/networks/{network}/rewards",
  "Paid staking rewards.",
  pageOf("historicalRewards", record, losable("reward")),
);

export type Rewards = Dated & { readonly rewards: readonly Reward[] };

async function paid(
  api: HostedApi,
  { network, currency, maxPages }: Wanted,
  by: "nodeIds" | "addresses",
  id: string,
): Promise<Rewards> {
  const query: Query = [[by, id], PAGE_SIZE, ["currency", currency]];
  const { rows: rewards, dated } = await listing(api, HistoricalRewards, { network }, maxPages, query);
  return { ...dated, rewards };
}

export const DataNodeRewards = hostedEndpoint<Rewards>(HistoricalRewards, {
  id: "data.node_rewards",
  about: "Rewards paid for staking on a node, including those of delegators.",
  methods: [`${HistoricalRewards.name}?nodeIds`],
  units: 100,
  priority: 1,
  every: 3600,
  keys: ({ validators }) => validators,
  ask: (api, nodeId, wanted) => paid(api, wanted, "nodeIds", nodeId),
});

export const DataAddressRewards = hostedEndpoint<Rewards>(HistoricalRewards, {
  id: "data.address_rewards",
  about: "Staking rewards paid to an address.",
  methods: [`${HistoricalRewards.name}?addresses`],
  units: 100,
  priority: 1,
  every: 3600,
  keys: ({ wallets }) => wallets,
  ask: (api, address, wanted) => paid(api, wanted, "addresses", address),
});

const pending = z
  .object({ rewardType: z.string(), endTimestamp: moment, estimatedReward: asset })
  .transform(({ rewardType, endTimestamp, estimatedReward }) => ({
    type: rewardType.toUpperCase(),
    end: endTimestamp,
    coins: maybeTokens(estimatedReward.amount, estimatedReward.denomination),
  }));

export const PendingRewards = getResource(
  "/v1/networks/{network}/rewards:listPending",
  "Expected rewards of active stakes, estimated by the service.",
  pageOf("pendingRewards", pending, losable("estimatedReward")),
);

export type Expected = Dated & { readonly rewards: ReadonlyArray<z.output<typeof pending>> };

async function expected(
  api: HostedApi,
  { network, maxPages }: Wanted,
  by: "nodeIds" | "addresses",
  id: string,
): Promise<Expected> {
  const { rows: rewards, dated } = await listing(api, PendingRewards, { network }, maxPages, [[by, id], PAGE_SIZE]);
  return { ...dated, rewards };
}

export const DataPendingRewards = hostedEndpoint<Expected>(PendingRewards, {
  id: "data.pending_rewards",
  about: "Expected rewards of an address from active stakes, estimated by the service.",
  methods: [`${PendingRewards.name}?addresses`],
  units: 100,
  priority: 2,
  every: 3600,
  optional: true,
  keys: ({ wallets }) => wallets,
  ask: (api, address, wanted) => expected(api, wanted, "addresses", address),
});

export const DataNodePendingRewards = hostedEndpoint<Expected>(PendingRewards, {
  id: "data.node_pending_rewards",
  about: "Expected rewards of active stakes on a node, including those of delegators, estimated by the service.",
  methods: [`${PendingRewards.name}?nodeIds`],
  units: 100,
  priority: 2,
  every: 3600,
  optional: true,
  keys: ({ validators }) => validators,
  ask: (api, nodeId, wanted) => expected(api, wanted, "nodeIds", nodeId),
});
