import { added } from "../../api/hosted/data-fields.ts";
import {
  DataAddressRewards,
  DataNodePendingRewards,
  DataNodeRewards,
  DataPendingRewards,
  HistoricalRewards,
  PendingRewards,
  type Expected,
  type Reward,
  type DataRewards,
} from "../../api/hosted/data-rewards.ts";
import { byKnown, earliest, latest, networkRows, whole } from "./hosted-rows.ts";
import { perRow } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { hostedTopic } from "../define/topic.ts";

const SOURCE = `${HistoricalRewards.name},`;
const TYPES = ["VALIDATOR", "DELEGATOR", "VALIDATOR_FEE"] as const;

type Given = {
  readonly paid: ReadonlyMap<string, DataRewards> | undefined;
  readonly pending: ReadonlyMap<string, Expected> | undefined;
};
/** The rewards of each type, as a label and its rows. */
const byType = <R extends { readonly type: string }>(rewards: readonly R[]) =>
  byKnown(TYPES, rewards, ({ type }) => type).map(([type, those]) => [{ kind: type.toLowerCase() }, those] as const);

/** Value of the rewards when they were paid, by currency; empty where one of them has no price or amount. */
function worth(rewards: readonly Reward[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { coins, price } of rewards) {
    if (price === undefined || coins === undefined) return new Map();
    sums.set(price.currencyCode, (sums.get(price.currencyCode) ?? 0) + coins * price.value);
  }
  return sums.size > 1 ? new Map() : sums;
}

/** Sums of paid or pending rewards; a type without rewards is 0, and one with an unknown amount is unknown. */
const sums = ({ rewards }: DataRewards | Expected) =>
  byType<{ readonly type: string; readonly coins: number | undefined }>(rewards).map(
    ([kind, those]) => [kind, added(0, those, ({ coins }) => coins)] as const,
  );
const lastEnd = ({ rewards }: DataRewards) => latest(rewards.map(({ end }) => end));
const firstEnd = ({ rewards }: Expected) => earliest(rewards.map(({ end }) => end));

const paidOfNode = perRow(whole(networkRows(["node_id"], ({ paid }: Given) => paid)));
const pendingOfNode = perRow(whole(networkRows(["node_id"], ({ pending }: Given) => pending)));

export const hostedNodeRewards = hostedTopic(
  {
    id: "hosted-node-rewards",
    about: "Which rewards were paid for staking on each watched validator, and which are pending?",
    needs: { paid: optional(DataNodeRewards), pending: optional(DataNodePendingRewards) },
  },
  {
    paid: paidOfNode.gauges(
      "avax_hosted_node_rewards_paid_avax",
      `Rewards paid for staking on the node, to all recipients (${SOURCE} \`reward.amount\`).`,
      ["kind"],
      sums,
    ),
    payments: paidOfNode.gauges(
      "avax_hosted_node_reward_payments",
      `Number of rewards paid for staking on the node (${SOURCE} \`historicalRewards\`).`,
      ["kind"],
      ({ rewards }) => byType(rewards).map(([kind, those]) => [kind, those.length] as const),
    ),
    last: paidOfNode.gauge(
      "avax_hosted_node_last_reward_timestamp_seconds",
      `End of the latest staking period that was paid (${SOURCE} \`endTimestamp\`).`,
      lastEnd,
    ),
    pending: pendingOfNode.gauges(
      "avax_hosted_node_rewards_pending_avax",
      `Rewards that running stakes on the node will pay to all recipients, as estimated by the service (${PendingRewards.name}, \`estimatedReward\`).`,
      ["kind"],
      sums,
    ),
    next: pendingOfNode.gauge(
      "avax_hosted_node_next_reward_timestamp_seconds",
      `When the first of the running stakes on the node ends (${PendingRewards.name}, \`endTimestamp\`).`,
      firstEnd,
    ),
  },
);

const paidOfAddress = perRow(whole(networkRows(["address"], ({ paid }: Given) => paid)));
const pendingOfAddress = perRow(whole(networkRows(["address"], ({ pending }: Given) => pending)));

export const hostedAddressRewards = hostedTopic(
  {
    id: "hosted-address-rewards",
    about: "Which staking rewards were paid to each watched address, and which are pending?",
    needs: { paid: optional(DataAddressRewards), pending: optional(DataPendingRewards) },
  },
  {
    paid: paidOfAddress.gauges(
      "avax_hosted_address_rewards_paid_avax",
      `Rewards paid to the address (${SOURCE} \`reward.amount\`).`,
      ["kind"],
      sums,
    ),
    value: paidOfAddress.gauges(
      "avax_hosted_address_rewards_fiat",
      `Value of the rewards paid to the address, each at the price of its day; absent where a price is missing (${SOURCE} \`reward.historicalPrice\`).`,
      ["currency"],
      ({ rewards }) =>
        [...worth(rewards)].map(([currency, value]) => [{ currency: currency.slice(0, 8) }, value] as const),
    ),
    last: paidOfAddress.gauge(
      "avax_hosted_address_last_reward_timestamp_seconds",
      `End of the latest staking period that paid the address (${SOURCE} \`endTimestamp\`).`,
      lastEnd,
    ),
    pending: pendingOfAddress.gauges(
      "avax_hosted_address_rewards_pending_avax",
      `Rewards that running stakes will pay to the address, as estimated by the service (${PendingRewards.name}, \`estimatedReward\`).`,
      ["kind"],
      sums,
    ),
    next: pendingOfAddress.gauge(
      "avax_hosted_address_next_reward_timestamp_seconds",
      `When the first of the running stakes of the address ends (${PendingRewards.name}, \`endTimestamp\`).`,
      firstEnd,
    ),
  },
);
