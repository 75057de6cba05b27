import { z } from "zod";
import { amount, maybeField, maybeTokens, moment, pastMoment, price } from "./data-fields.ts";
import type { AnswerOf, Resource } from "../endpoint.ts";
import {
  getResource,
  hostedEndpoint,
  listing,
  PAGE_SIZE,
  pageOf,
  type Definition,
  type Page,
  type SearchParameters,
  type HostedSubjects,
} from "./hosted-endpoint.ts";
import { count } from "../wire.ts";

/** Data API: paid rewards and, beyond the specification, pending ones. */

const asset = z
  .object({ amount: maybeField(amount), denomination: maybeField(count), historicalPrice: price })
  .transform((raw) => ({ coins: maybeTokens(raw.amount, raw.denomination), price: raw.historicalPrice }));
const rewardType = z.string().transform((type) => type.toUpperCase());

const record = z
  .object({ rewardType, endTimestamp: pastMoment, reward: asset })
  .transform(({ rewardType: type, endTimestamp: end, reward }) => ({ type, end, ...reward }));

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

const pending = z
  .object({ rewardType, endTimestamp: moment, estimatedReward: asset })
  .transform(({ rewardType: type, endTimestamp: end, estimatedReward: { coins } }) => ({ type, end, coins }));

export const PendingRewards = getResource(
  "/v1/networks/{network}/rewards:listPending",
  "Expected rewards of active stakes, estimated by the service.",
  pageOf("pendingRewards", pending, losable("estimatedReward")),
);

const OWNERS = {
  nodeIds: ({ validators }: HostedSubjects) => validators,
  addresses: ({ wallets }: HostedSubjects) => wallets,
};

/** An endpoint about the rewards of nodes or of addresses, each polled by itself. */
function rewardsBy<R>(
  resource: Resource<Page<R>>,
  by: keyof typeof OWNERS,
  definition: Pick<Definition<unknown>, "id" | "about" | "priority" | "optional">,
) {
  return hostedEndpoint(resource, {
    ...definition,
    methods: [`${resource.name}?${by}`],
    units: 100,
    every: 3600,
    keys: OWNERS[by],
    async ask(api, id, { network, currency, maxPages }) {
      const priced: SearchParameters = resource.name === HistoricalRewards.name ? [["currency", currency]] : [];
      const { rows, dated } = await listing(api, resource, { network }, maxPages, [[by, id], PAGE_SIZE, ...priced]);
      return { ...dated, rewards: rows };
    },
  });
}

export const DataNodeRewards = rewardsBy(HistoricalRewards, "nodeIds", {
  id: "data.node_rewards",
  about: "Rewards paid for staking on a node, including those of delegators.",
  priority: 1,
});

export const DataAddressRewards = rewardsBy(HistoricalRewards, "addresses", {
  id: "data.address_rewards",
  about: "Staking rewards paid to an address.",
  priority: 1,
});
export type DataRewards = AnswerOf<typeof DataAddressRewards>;

export const DataPendingRewards = rewardsBy(PendingRewards, "addresses", {
  id: "data.pending_rewards",
  about: "Expected rewards of an address from active stakes, estimated by the service.",
  priority: 2,
  optional: true,
});
export type Expected = AnswerOf<typeof DataPendingRewards>;

export const DataNodePendingRewards = rewardsBy(PendingRewards, "nodeIds", {
  id: "data.node_pending_rewards",
  about: "Expected rewards of active stakes on a node, including those of delegators, estimated by the service.",
  priority: 2,
  optional: true,
});
