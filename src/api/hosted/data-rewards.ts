import { z } from "zod";
import { amount, inTokens, moment, price } from "./data-fields.ts";
import {
  getResource,
  hostedEndpoint,
  listing,
  nextPageToken,
  PAGE_SIZE,
  type Dated,
  type HostedApi,
  type Query,
  type Wanted,
} from "./hosted.ts";
import { count, list } from "../wire.ts";

/** Data API: paid rewards and, beyond the specification, pending ones. */

const asset = z.object({ amount, denomination: count, historicalPrice: price });

const record = z
  .object({ rewardType: z.string(), endTimestamp: moment, reward: asset })
  .transform(({ rewardType, endTimestamp, reward }) => ({
    type: rewardType.toUpperCase(),
    end: endTimestamp,
    coins: inTokens(reward.amount, reward.denomination),
    price: reward.historicalPrice,
  }));

export type Reward = z.output<typeof record>;

const page = z.object({ nextPageToken, historicalRewards: list(record) });

export const HistoricalRewards = getResource("/v1/networks/{network}/rewards", "Paid staking rewards.", page);

export type Rewards = Dated & { readonly rewards: readonly Reward[] };

async function paid(
  api: HostedApi,
  { network, currency, maxPages }: Wanted,
  by: "nodeIds" | "addresses",
  id: string,
): Promise<Rewards> {
  const query: Query = [[by, id], PAGE_SIZE, ["currency", currency]];
  const { pages, truncated } = await listing(api, HistoricalRewards, { network }, maxPages, query);
  return { at: api.now, truncated, rewards: pages.flatMap(({ historicalRewards }) => historicalRewards) };
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
    coins: inTokens(estimatedReward.amount, estimatedReward.denomination),
  }));

const pendingPage = z.object({ nextPageToken, pendingRewards: list(pending) });

export const PendingRewards = getResource(
  "/v1/networks/{network}/rewards:listPending",
  "Expected rewards of active stakes, estimated by the service.",
  pendingPage,
);

export type Expected = Dated & { readonly rewards: ReadonlyArray<z.output<typeof pending>> };

async function expected(
  api: HostedApi,
  { network, maxPages }: Wanted,
  by: "nodeIds" | "addresses",
  id: string,
): Promise<Expected> {
  const { pages, truncated } = await listing(api, PendingRewards, { network }, maxPages, [[by, id], PAGE_SIZE]);
  return { at: api.now, truncated, rewards: pages.flatMap(({ pendingRewards }) => pendingRewards) };
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
