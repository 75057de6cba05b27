import { DatetimeISO } from "@grafana/grafana-foundation-sdk/units";
import { hostedTransactions } from "../../../src/topics/hosted/activity.ts";
import { hostedAddresses } from "../../../src/topics/exporter/hosted-addresses.ts";
import { hostedHoldings } from "../../../src/topics/hosted/holdings.ts";
import { hostedAddressRewards } from "../../../src/topics/hosted/rewards.ts";
import { hostedUtxos } from "../../../src/topics/hosted/utxos.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Row } from "../parts/panels.ts";
import { column, dates, table } from "../parts/table.ts";
import { NETWORK, select } from "../parts/selectors.ts";

const of = select(NETWORK);
const { metrics: utxos } = hostedUtxos;
const { metrics: rewards } = hostedAddressRewards;
const { metrics: holdings } = hostedHoldings;
const { metrics: transactions } = hostedTransactions;
const { info } = hostedAddresses.metrics;

const NAME = { wallet: { title: "Name", width: 130, short: true } } as const;
const held = (state: string) => `sum by (network, address) (${where(utxos.amount, { ...NETWORK, state })})`;
const moved = (direction: string) => where(transactions.transactions, { direction });

export const hostedRow: Row = {
  title: "Watched addresses (hosted Data API)",
  collapsed: true,
  panels: [
    table(
      "Wallets on the P-, X- and C-Chain",
      "AVAX of each address in unspent outputs on all polled chains: free, staked or locked, the next unlock, and paid and pending staking rewards.",
      {
        height: 6,
        labels: { network: { title: "Network", width: 90 }, address: { title: "Address", short: true } },
        more: { expr: `${of(utxos.amount)} * on (address) group_left (wallet) ${info}`, labels: NAME },
        columns: [
          column("Free (AVAX)", held("free"), { decimals: 3, width: 110 }),
          column("Staked", held("staked"), { decimals: 3, width: 110 }),
          column("Locked", held("locked"), { decimals: 3, width: 110 }),
          column("Next unlock", `1000 * min by (network, address) (${of(utxos.unlock)})`, {
            unit: DatetimeISO,
            width: 165,
          }),
          column("Rewards paid", `sum by (network, address) (${of(rewards.paid)})`, { decimals: 3, width: 115 }),
          column("Pending", `sum by (network, address) (${of(rewards.pending)})`, { decimals: 3, width: 100 }),
          dates("Next reward", of(rewards.next)),
        ],
      },
    ),
    table(
      "Accounts on EVM chains",
      "Coins of each account and their value, its ERC-721 tokens, and its transactions since the exporter started to count.",
      {
        width: 24,
        height: 6,
        labels: { evm_chain_id: { title: "Chain ID", width: 100 }, address: { title: "Account", short: true } },
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
