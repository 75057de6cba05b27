import { newest } from "../../api/hosted/data-fields.ts";
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
import { answeredAt, flat, truncated } from "./dated.ts";
import { gauges, type Moment } from "../../catalogue/metric.ts";
import { maybe } from "../../catalogue/needs.ts";
import { hostedTopic } from "../../catalogue/topic.ts";

const SOURCE = `${HistoricalRewards.name},`;
const TYPES = ["VALIDATOR", "DELEGATOR", "VALIDATOR_FEE"] as const;

type Answers<A> = ReadonlyMap<string, A> | undefined;
type Nodes = { readonly nodes: Answers<Rewards>; readonly pending: Answers<Expected> };
type Addresses = { readonly addresses: Answers<Rewards>; readonly pending: Answers<Expected> };

const nodeRows = ({ nodes }: Nodes, { networkLabel: network }: Moment) =>
  [...(nodes ?? [])].map(([node_id, answer]) => [{ network, node_id }, answer] as const);
const nodePendingRows = ({ pending }: Nodes, { networkLabel: network }: Moment) =>
  [...(pending ?? [])].map(([node_id, answer]) => [{ network, node_id }, answer] as const);
const addressRows = ({ addresses }: Addresses, { networkLabel: network }: Moment) =>
  [...(addresses ?? [])].map(([address, answer]) => [{ network, address }, answer] as const);
const pendingRows = ({ pending }: Addresses, { networkLabel: network }: Moment) =>
  [...(pending ?? [])].map(([address, answer]) => [{ network, address }, answer] as const);

/** Sums by the closed set of reward types; every type is there, one without rewards as 0. */
function byType(rewards: ReadonlyArray<{ readonly type: string; readonly coins: number }>) {
  return [...TYPES, "other" as const].map((type) => {
    const those = rewards.filter(
      (each) => ((TYPES as readonly string[]).includes(each.type) ? each.type : "other") === type,
    );
    return { reward: type.toLowerCase(), coins: those.reduce((sum, { coins }) => sum + coins, 0), count: those.length };
  });
}

/** Sums of an answer by reward type. */
const sums = <R extends string>(row: Readonly<Record<R, string>>, rewards: Parameters<typeof byType>[0]) =>
  byType(rewards).map(({ reward, coins }) => [{ ...row, reward }, coins] as const);

/** When the first of the running stakes ends. */
function firstEnd({ rewards }: Expected): number | undefined {
  const ends = rewards.map(({ end }) => end).filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : ends.reduce((a, b) => Math.min(a, b));
}

/** What the rewards were worth when they were paid, by currency; unknown where one of them has no price. */
function worth(rewards: readonly Reward[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { coins, price } of rewards) {
    if (price === undefined) return new Map();
    sums.set(price.currencyCode, (sums.get(price.currencyCode) ?? 0) + coins * price.value);
  }
  return sums.size > 1 ? new Map() : sums;
}

export const hostedNodeRewards = hostedTopic(
  {
    id: "hosted-node-rewards",
    about: "What was paid for staking on each watched validator, and what is to come?",
    needs: { nodes: maybe(DataNodeRewards), pending: maybe(DataNodePendingRewards) },
  },
  {
    paid: gauges(
      "avax_indexed_node_rewards_paid_avax",
      `Rewards paid so far for staking on the node, to everybody (${SOURCE} \`reward.amount\`).`,
      ["network", "node_id", "reward"],
      (data: Nodes, context) => flat(nodeRows(data, context), ({ rewards }, row) => sums(row, rewards)),
    ),
    payments: gauges(
      "avax_indexed_node_reward_payments",
      `Rewards paid so far for staking on the node, counted (${SOURCE} \`historicalRewards\`).`,
      ["network", "node_id", "reward"],
      (data: Nodes, context) =>
        flat(nodeRows(data, context), ({ rewards }, row) =>
          byType(rewards).map(({ reward, count }) => [{ ...row, reward }, count] as const),
        ),
    ),
    last: gauges(
      "avax_indexed_node_last_reward_timestamp_seconds",
      `End of the latest staking period that was paid (${SOURCE} \`endTimestamp\`).`,
      ["network", "node_id"],
      (data: Nodes, context) =>
        nodeRows(data, context).map(([row, { rewards }]) => [row, newest(rewards.map(({ end }) => end))]),
    ),
    pending: gauges(
      "avax_indexed_node_rewards_pending_avax",
      `Rewards that running stakes on the node will pay, to everybody, as the service estimates them (${PendingRewards.name}, \`estimatedReward\`).`,
      ["network", "node_id", "reward"],
      (data: Nodes, context) => flat(nodePendingRows(data, context), ({ rewards }, row) => sums(row, rewards)),
    ),
    next: gauges(
      "avax_indexed_node_next_reward_timestamp_seconds",
      `When the first of the running stakes on the node ends (${PendingRewards.name}, \`endTimestamp\`).`,
      ["network", "node_id"],
      (data: Nodes, context) => nodePendingRows(data, context).map(([row, answer]) => [row, firstEnd(answer)]),
    ),
    truncated: truncated(
      "avax_indexed_node_rewards_truncated",
      HistoricalRewards.name,
      ["network", "node_id"],
      nodeRows,
    ),
    answered: answeredAt(
      "avax_indexed_node_rewards_answer_timestamp_seconds",
      HistoricalRewards.name,
      ["network", "node_id"],
      nodeRows,
    ),
    pendingTruncated: truncated(
      "avax_indexed_node_rewards_pending_truncated",
      PendingRewards.name,
      ["network", "node_id"],
      nodePendingRows,
    ),
    pendingAnswered: answeredAt(
      "avax_indexed_node_rewards_pending_answer_timestamp_seconds",
      PendingRewards.name,
      ["network", "node_id"],
      nodePendingRows,
    ),
  },
);

export const hostedAddressRewards = hostedTopic(
  {
    id: "hosted-address-rewards",
    about: "What was paid to each watched address for staking, and what is to come?",
    needs: { addresses: maybe(DataAddressRewards), pending: maybe(DataPendingRewards) },
  },
  {
    paid: gauges(
      "avax_address_rewards_paid_avax",
      `Rewards paid to the address so far (${SOURCE} \`reward.amount\`).`,
      ["network", "address", "reward"],
      (data: Addresses, context) => flat(addressRows(data, context), ({ rewards }, row) => sums(row, rewards)),
    ),
    value: gauges(
      "avax_address_rewards_value",
      `Worth of the rewards paid to the address, each at the price of its day; absent where a price is missing (${SOURCE} \`reward.historicalPrice\`).`,
      ["network", "address", "currency"],
      (data: Addresses, context) =>
        flat(addressRows(data, context), ({ rewards }, row) =>
          [...worth(rewards)].map(([currency, value]) => [{ ...row, currency: currency.slice(0, 8) }, value] as const),
        ),
    ),
    last: gauges(
      "avax_address_last_reward_timestamp_seconds",
      `End of the latest staking period that paid the address (${SOURCE} \`endTimestamp\`).`,
      ["network", "address"],
      (data: Addresses, context) =>
        addressRows(data, context).map(([row, { rewards }]) => [row, newest(rewards.map(({ end }) => end))]),
    ),
    pending: gauges(
      "avax_address_rewards_pending_avax",
      `Rewards that running stakes will pay the address, as the service estimates them (${PendingRewards.name}, \`estimatedReward\`).`,
      ["network", "address", "reward"],
      (data: Addresses, context) => flat(pendingRows(data, context), ({ rewards }, row) => sums(row, rewards)),
    ),
    next: gauges(
      "avax_address_next_reward_timestamp_seconds",
      `When the first of the running stakes of the address ends (${PendingRewards.name}, \`endTimestamp\`).`,
      ["network", "address"],
      (data: Addresses, context) => pendingRows(data, context).map(([row, answer]) => [row, firstEnd(answer)]),
    ),
    truncated: truncated("avax_address_rewards_truncated", HistoricalRewards.name, ["network", "address"], addressRows),
    answered: answeredAt(
      "avax_address_rewards_answer_timestamp_seconds",
      HistoricalRewards.name,
      ["network", "address"],
      addressRows,
    ),
    pendingTruncated: truncated(
      "avax_address_rewards_pending_truncated",
      PendingRewards.name,
      ["network", "address"],
      pendingRows,
    ),
    pendingAnswered: answeredAt(
      "avax_address_rewards_pending_answer_timestamp_seconds",
      PendingRewards.name,
      ["network", "address"],
      pendingRows,
    ),
  },
);
