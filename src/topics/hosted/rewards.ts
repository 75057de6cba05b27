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
  type Rewards,
} from "../../api/hosted/data-rewards.ts";
import { earliest, each, flat, latest, networkRows, whole } from "./dated.ts";
import { gauges } from "../define/metric.ts";
import { maybe } from "../define/needs.ts";
import { hostedTopic } from "../define/topic.ts";
import type { Sample } from "../../exposition/sample.ts";

const SOURCE = `${HistoricalRewards.name},`;
const TYPES = ["VALIDATOR", "DELEGATOR", "VALIDATOR_FEE"] as const;

type Given = {
  readonly paid: ReadonlyMap<string, Rewards> | undefined;
  readonly pending: ReadonlyMap<string, Expected> | undefined;
};
/** The owner of the rewards, which is the key of the answers. */
type Owner = "node_id" | "address";

/** Sums by the closed set of reward types; a type without rewards is 0, and one with an unknown amount is unknown. */
function byType(rewards: ReadonlyArray<{ readonly type: string; readonly coins: number | undefined }>) {
  return [...TYPES, "other" as const].map((type) => {
    const those = rewards.filter(
      (payment) => ((TYPES as readonly string[]).includes(payment.type) ? payment.type : "other") === type,
    );
    const coins = added(
      0,
      those.map((payment) => payment.coins),
    );
    return { kind: type.toLowerCase(), coins, count: those.length };
  });
}

/** Value of the rewards when they were paid, by currency; empty where one of them has no price or amount. */
function worth(rewards: readonly Reward[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { coins, price } of rewards) {
    if (price === undefined || coins === undefined) return new Map();
    sums.set(price.currencyCode, (sums.get(price.currencyCode) ?? 0) + coins * price.value);
  }
  return sums.size > 1 ? new Map() : sums;
}

/** Readers of the paid and the pending rewards of an owner. */
function readers<const O extends Owner>(owner: O) {
  const paid = whole((data: Given, context) => networkRows([owner], data.paid, context));
  const pending = whole((data: Given, context) => networkRows([owner], data.pending, context));
  const sums = ({ rewards }: Rewards | Expected, row: Readonly<Record<"network" | O, string>>) =>
    byType(rewards).map(({ kind, coins }): Sample<"network" | O | "kind"> => [{ ...row, kind }, coins]);
  return {
    paid,
    pending,
    paidSums: flat(paid, sums),
    pendingSums: flat(pending, sums),
    lastEnd: each(paid, ({ rewards }) => latest(rewards.map(({ end }) => end))),
    firstEnd: each(pending, ({ rewards }) => earliest(rewards.map(({ end }) => end))),
  };
}

const ofNode = readers("node_id");

export const hostedNodeRewards = hostedTopic(
  {
    id: "hosted-node-rewards",
    about: "Which rewards were paid for staking on each watched validator, and which are pending?",
    needs: { paid: maybe(DataNodeRewards), pending: maybe(DataNodePendingRewards) },
  },
  {
    paid: gauges(
      "avax_hosted_node_rewards_paid_avax",
      `Rewards paid for staking on the node, to all recipients (${SOURCE} \`reward.amount\`).`,
      ["network", "node_id", "kind"],
      ofNode.paidSums,
    ),
    payments: gauges(
      "avax_hosted_node_reward_payments",
      `Number of rewards paid for staking on the node (${SOURCE} \`historicalRewards\`).`,
      ["network", "node_id", "kind"],
      flat(ofNode.paid, ({ rewards }, row) =>
        byType(rewards).map(({ kind, count }) => [{ ...row, kind }, count] as const),
      ),
    ),
    last: gauges(
      "avax_hosted_node_last_reward_timestamp_seconds",
      `End of the latest staking period that was paid (${SOURCE} \`endTimestamp\`).`,
      ["network", "node_id"],
      ofNode.lastEnd,
    ),
    pending: gauges(
      "avax_hosted_node_rewards_pending_avax",
      `Rewards that running stakes on the node will pay to all recipients, as estimated by the service (${PendingRewards.name}, \`estimatedReward\`).`,
      ["network", "node_id", "kind"],
      ofNode.pendingSums,
    ),
    next: gauges(
      "avax_hosted_node_next_reward_timestamp_seconds",
      `When the first of the running stakes on the node ends (${PendingRewards.name}, \`endTimestamp\`).`,
      ["network", "node_id"],
      ofNode.firstEnd,
    ),
  },
);

const ofAddress = readers("address");

export const hostedAddressRewards = hostedTopic(
  {
    id: "hosted-address-rewards",
    about: "Which staking rewards were paid to each watched address, and which are pending?",
    needs: { paid: maybe(DataAddressRewards), pending: maybe(DataPendingRewards) },
  },
  {
    paid: gauges(
      "avax_hosted_address_rewards_paid_avax",
      `Rewards paid to the address (${SOURCE} \`reward.amount\`).`,
      ["network", "address", "kind"],
      ofAddress.paidSums,
    ),
    value: gauges(
      "avax_hosted_address_rewards_fiat",
      `Value of the rewards paid to the address, each at the price of its day; absent where a price is missing (${SOURCE} \`reward.historicalPrice\`).`,
      ["network", "address", "currency"],
      flat(ofAddress.paid, ({ rewards }, row) =>
        [...worth(rewards)].map(([currency, value]) => [{ ...row, currency: currency.slice(0, 8) }, value] as const),
      ),
    ),
    last: gauges(
      "avax_hosted_address_last_reward_timestamp_seconds",
      `End of the latest staking period that paid the address (${SOURCE} \`endTimestamp\`).`,
      ["network", "address"],
      ofAddress.lastEnd,
    ),
    pending: gauges(
      "avax_hosted_address_rewards_pending_avax",
      `Rewards that running stakes will pay to the address, as estimated by the service (${PendingRewards.name}, \`estimatedReward\`).`,
      ["network", "address", "kind"],
      ofAddress.pendingSums,
    ),
    next: gauges(
      "avax_hosted_address_next_reward_timestamp_seconds",
      `When the first of the running stakes of the address ends (${PendingRewards.name}, \`endTimestamp\`).`,
      ["network", "address"],
      ofAddress.firstEnd,
    ),
  },
);
