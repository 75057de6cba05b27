import { DatetimeISO } from "@grafana/grafana-foundation-sdk/units";
import { hostedNodeRewards, hostedAddressRewards } from "../../../src/topics/hosted/hosted-node-rewards.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { waitingUtxos } from "../../../src/topics/wallets/waiting-utxos.ts";
import { type Row, stat, lines } from "../parts/panels.ts";
import { rewardAtEnd, RUNWAY, LOST } from "../parts/rewards.ts";
import { redAbove, YES_NO, redBelow, SPAN } from "../parts/format.ts";
import {
  PRIMARY,
  ofNetwork,
  NETWORK,
  top,
  BY_SUBNET,
  withSubnetNames,
  withNames,
  ofPrimary,
} from "../parts/selectors.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { evmWallets } from "../../../src/topics/wallets/evm-wallets.ts";
import { platformBalance } from "../../../src/topics/wallets/platform-balance.ts";
import { watchedAddresses } from "../../../src/topics/wallets/watched-addresses.ts";
import { column, table, TO_L1, usual, dates, spans } from "../parts/table.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { hostedTransactions } from "../../../src/topics/hosted/hosted-transactions.ts";
import { hostedAddresses } from "../../../src/topics/exporter/hosted-addresses.ts";
import { hostedHoldings } from "../../../src/topics/hosted/hosted-holdings.ts";
import { hostedUtxos } from "../../../src/topics/hosted/hosted-utxos.ts";

/** Spendable AVAX of wallets on the P-Chain. */
const unlocked = where(platformBalance.metrics.balance, { ...NETWORK, state: "unlocked" });
/** Coins of addresses by EVM chain. */
const coins = ofNetwork(evmWallets.metrics.balance);
/** Configured limits of wallets. */
const limit = ofNetwork(watchedAddresses.metrics.low);

/** What each wallet with a limit has less than it on its poorest chain; 0 where it has enough. */
const shortfall = `max by (network, wallet) (${ofNetwork(evmWallets.metrics.shortfall)} or ${ofNetwork(platformBalance.metrics.shortfall)})`;

const { metrics: platform } = platformBalance;
const { metrics: waiting } = waitingUtxos;
/** Wallets and source chains from which something waits. */
const PENDING = `and on (network, wallet, source_chain) ${ofNetwork(waiting.count)} > 0`;
/** Each exporter of a pair has the series, and a wallet one for each state. Wallets without locked AVAX have no line. */
const locked = `(sum by (network, wallet) (max by (network, wallet, state) (${where(platform.balance, { ...NETWORK, state: "!=unlocked" })})) > 0)`;
/** Lines of a chart. */
const OF_WALLETS = { of: "lowest", by: "network, wallet", count: 4 } as const;

export const walletsRow: Row = {
  title: "Watched wallets",
  panels: [
    table(
      "Wallets",
      "Which wallet runs low? Spendable balance of each watched wallet, its configured limit, and its number of UTXOs.",
      {
        height: 11,
        alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"],
        labels: { ...usual("network"), wallet: { title: "Wallet" } },
        sortedBy: "Sufficient",
        columns: [
          column("P-Chain (AVAX)", unlocked, { decimals: 3, width: 130 }),
          column("EVM (coins)", `min by (network, wallet) (${coins})`, { decimals: 3, width: 110 }),
          column("Limit", limit, { width: 95 }),
          column("Sufficient", `${shortfall} == bool 0`, { mappings: YES_NO, width: 95 }),
          column("UTXOs", ofNetwork(platform.utxos), { width: 80 }),
        ],
      },
    ),
    table(
      "Pending imports",
      "What waits for an import, and from where? Exports of watched wallets to the C-Chain that are not imported yet, by source chain. Truncated: more UTXOs than one poll reads.",
      {
        height: 11,
        noValue: "no pending imports",
        alerts: ["AvaxUtxoWaiting"],
        labels: { ...usual("network"), wallet: { title: "Wallet" }, source_chain: { title: "From", width: 80 } },
        columns: [
          column("UTXOs", `${ofNetwork(waiting.count)} > 0`, { unit: "locale", thresholds: redAbove(1), width: 90 }),
          column("AVAX", `${ofNetwork(waiting.avax)} ${PENDING}`, { decimals: 3, width: 110 }),
          column("Truncated", `${ofNetwork(waiting.truncated)} ${PENDING}`, {
            mappings: { 0: ["no", "text"], 1: ["yes", "orange"] },
            width: 130,
          }),
        ],
      },
    ),
    lines(
      "P-Chain balances (AVAX)",
      "When did a P-Chain wallet pay or receive? Spendable AVAX of each watched P-Chain wallet, and locked AVAX, including locked stakeable AVAX. The wallets with the least spendable and the most locked AVAX.",
      [
        [top(unlocked, OF_WALLETS), "{{network}} {{wallet}}"],
        [top(locked, { ...OF_WALLETS, of: "highest" }), "{{network}} {{wallet}} locked"],
      ],
      { alerts: ["AvaxPlatformWalletLow"] },
    ),
    lines(
      "EVM balances (coins)",
      "When did an EVM wallet pay or receive? Balance of each watched address on each EVM chain, in AVAX or the chain's own coin. The addresses with the least.",
      [top(coins, { ...OF_WALLETS, by: "network, wallet, chain" }), "{{network}} {{wallet}} {{chain}}"],
      { alerts: ["AvaxEvmWalletLow"] },
    ),
  ],
};

/** The sum of what has these labels, each counted once: every exporter of a pair has the series. */
const sum = (labels: string, expr: string) => `sum by (network) (max by (network, ${labels}) (${expr}))`;

export const balancesRow: Row = {
  title: "Balances",
  legend: "{{network}}",
  panels: [
    stat(
      "Low wallets",
      "How many wallets run low? Watched wallets whose balance is below their configured limit, on any of their chains.",
      `sum by (network) (${shortfall} > bool 0)`,
      { noValue: "no limits", thresholds: redAbove(1), alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"] },
    ),
    stat(
      "Spendable on the P-Chain (AVAX)",
      "How much can be spent on the P-Chain? Spendable AVAX of all watched wallets on the P-Chain.",
      sum("wallet", unlocked),
      { decimals: 2, noValue: "no wallets", alerts: ["AvaxPlatformWalletLow"] },
    ),
    stat(
      "Pending imports (AVAX)",
      "How much waits for an import? AVAX that watched wallets exported to the C-Chain and have not imported yet.",
      sum("wallet, source_chain", ofNetwork(waitingUtxos.metrics.avax)),
      { decimals: 2, noValue: "no wallets", alerts: ["AvaxUtxoWaiting"] },
    ),
    stat(
      "L1 balances (AVAX)",
      "How much is left for the fees of the L1s? Balances from which the validators of the configured L1s pay their fees.",
      sum("subnet, validation_id", ofNetwork(l1Validator.metrics.balance)),
      { decimals: 2, noValue: "no L1" },
    ),
    stat(
      "Shortest L1 runway",
      "When does the first L1 balance run out? Time until the smallest balance of an L1 validator runs out at the current price, or run out.",
      `min by (network) (${ofNetwork(l1Validator.metrics.runway)})`,
      { unit: SPAN, noValue: "no L1", ...RUNWAY, alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"] },
    ),
    stat(
      "L1 validators run out",
      "How many L1 validators need a top-up now? L1 validators whose balance ran out: they do not sign until someone tops it up.",
      `sum by (network) (min by (network, validation_id) (${ofNetwork(l1Validator.metrics.active)}) == bool 0)`,
      { noValue: "no L1", thresholds: redAbove(1), alerts: ["AvaxL1RunwayCritical"] },
    ),
    stat(
      "Expected rewards (AVAX)",
      "How much will be paid for the running stakes? Rewards of the running stakes of all watched validators that can still be paid, without delegation fees. A lost reward is not counted.",
      sum("node_id", rewardAtEnd(PRIMARY)),
      { decimals: 2, noValue: "no validators", alerts: ["AvaxRewardLost"] },
    ),
    stat(
      "Paid rewards (AVAX)",
      "How much was paid for staking? Rewards that were paid for staking on the watched validators, to all recipients. From the hosted Data API.",
      sum("node_id, kind", ofNetwork(hostedNodeRewards.metrics.paid)),
      { decimals: 2, noValue: "no hosted API", alerts: ["AvaxStakingPeriodUnrewarded"] },
    ),
  ],
};

const MONTH = 30 * 86_400;
const { metrics: member } = l1Validator;
const active = `min by (network, subnet, validation_id) (${ofNetwork(member.active)})`;
const price = `on (network) group_left () max by (network) (${ofNetwork(l1Validator.metrics.price)})`;
const balance = `sum by (${BY_SUBNET}) (max by (${BY_SUBNET}, validation_id) (${ofNetwork(member.balance)}))`;

export const l1Row: Row = {
  title: "L1 balances",
  panels: [
    table(
      "L1s",
      "Which L1 needs money, and how much a month? Balances of the validators of each configured L1, the fee of its active validators for 30 days at the current price, the shortest runway, and the validators whose balance ran out.",
      {
        height: 7,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
        labels: {
          network: { title: "Network", width: 80 },
          subnet: { title: "L1 ID", link: TO_L1, short: true, width: 85 },
        },
        more: { expr: withSubnetNames(balance), labels: usual("name") },
        sortedBy: "Runway",
        columns: [
          column("Balance (AVAX)", balance, { decimals: 2, width: 120 }),
          column("Monthly (AVAX)", `${MONTH} * sum by (network, subnet) (${active}) * ${price}`, {
            decimals: 2,
            width: 120,
          }),
          spans("Runway", `min by (network, subnet) (${ofNetwork(l1Validator.metrics.runway)})`, {
            ...RUNWAY,
            width: 125,
          }),
          column("Run out", `sum by (network, subnet) (${active} == bool 0)`, { thresholds: redAbove(1), width: 75 }),
        ],
      },
    ),
    lines(
      "L1 balances (AVAX)",
      "How fast do the L1 balances fall? Balances of the validators of each configured L1 together. The L1s with the least.",
      [withSubnetNames(top(balance, { of: "lowest", by: "network, subnet" })), "{{network}} {{name}}"],
      { height: 7, alerts: ["AvaxL1RunwayShort"] },
    ),
  ],
};

const { metrics: staked } = validator;
const { metrics: hosted } = hostedNodeRewards;
const paidBy = (metric: typeof hosted.paid) =>
  `sum by (network, node_id) (max by (network, node_id, kind) (${ofNetwork(metric)}))`;

export const rewardsRow: Row = {
  title: "Rewards",
  collapsed: true,
  panels: [
    table(
      "Rewards by validator (AVAX)",
      "What does each validator earn? Own stake of each watched validator, the reward at the end of its period, the delegation fees that it has earned, and what was paid and is pending to all recipients of its stakes by the hosted Data API.",
      {
        height: 10,
        alerts: ["AvaxRewardLost", "AvaxValidatorEndingSoon", "AvaxStakingPeriodUnrewarded"],
        labels: usual("network", "node_id"),
        more: { expr: withNames(ofPrimary(staked.weight)), labels: usual("name") },
        sortedBy: "Ends in",
        columns: [
          column("Stake", ofPrimary(staked.weight), { decimals: 2 }),
          column("Reward", rewardAtEnd(PRIMARY), { decimals: 2, mappings: LOST }),
          column("Fees earned", `${ofPrimary(staked.accrued)} > 0`, { decimals: 2 }),
          column("Paid (hosted)", paidBy(hosted.paid), { decimals: 2 }),
          column("Pending (hosted)", paidBy(hosted.pending), { decimals: 2 }),
          spans("Ends in", `${ofPrimary(staked.end)} - time()`, { thresholds: redBelow(ENDING_SOON) }),
        ],
      },
    ),
  ],
};

const { metrics: utxos } = hostedUtxos;
const { metrics: rewards } = hostedAddressRewards;
const { metrics: holdings } = hostedHoldings;
const { metrics: transactions } = hostedTransactions;
const { info } = hostedAddresses.metrics;

const NAME = { wallet: { title: "Name", short: true } } as const;
const held = (state: string) => `sum by (network, address) (${where(utxos.amount, { ...NETWORK, state })})`;
const moved = (direction: string) => where(transactions.transactions, { direction });

export const hostedRow: Row = {
  title: "Watched addresses (hosted Data API)",
  collapsed: true,
  panels: [
    table(
      "Wallets on the P-, X- and C-Chain",
      "What do the addresses hold, and when is it unlocked? AVAX of each address in unspent outputs on all polled chains: free, staked or locked, the next unlock, and paid and pending staking rewards.",
      {
        height: 6,
        labels: { ...usual("network"), address: { title: "Address", width: 110, short: true } },
        more: { expr: `${ofNetwork(utxos.amount)} * on (address) group_left (wallet) ${info}`, labels: NAME },
        columns: [
          column("Free (AVAX)", held("free"), { decimals: 3, width: 110 }),
          column("Staked", held("staked"), { decimals: 3, width: 110 }),
          column("Locked", held("locked"), { decimals: 3, width: 110 }),
          column("Next unlock", `1000 * min by (network, address) (${ofNetwork(utxos.unlock)})`, {
            unit: DatetimeISO,
            width: 165,
          }),
          column("Rewards paid", `sum by (network, address) (${ofNetwork(rewards.paid)})`, { decimals: 3, width: 115 }),
          column("Pending", `sum by (network, address) (${ofNetwork(rewards.pending)})`, { decimals: 3, width: 100 }),
          dates("Next reward", ofNetwork(rewards.next)),
        ],
      },
    ),
    table(
      "Accounts on EVM chains",
      "What do the accounts hold? Coins of each account and their value, its ERC-721 tokens, and its transactions since the exporter started to count.",
      {
        width: 24,
        height: 6,
        labels: {
          evm_chain_id: { title: "Chain ID", width: 100 },
          address: { title: "Account", width: 110, short: true },
        },
        more: { expr: `${holdings.coins} * on (address) group_left (wallet) ${info}`, labels: NAME },
        columns: [
          column("Coins", holdings.coins.name, { decimals: 3, width: 110 }),
          column("Value", holdings.value.name, { decimals: 2, width: 110 }),
          column("ERC-721 tokens", holdings.tokens.name, { width: 130 }),
          column("Sent", moved("out"), { width: 80 }),
          column("Received", moved("in"), { width: 95 }),
          column("Failed", transactions.failed.name, { width: 80 }),
          dates("Last transaction", transactions.last.name),
        ],
      },
    ),
  ],
};
