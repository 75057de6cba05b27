import { DatetimeISO, Short } from "@grafana/grafana-foundation-sdk/units";
import { hostedTransactions } from "../../../src/topics/hosted/activity.ts";
import { hostedAddresses } from "../../../src/topics/exporter/hosted-addresses.ts";
import { hostedHoldings } from "../../../src/topics/hosted/holdings.ts";
import { hostedAddressRewards } from "../../../src/topics/hosted/rewards.ts";
import { hostedUtxos } from "../../../src/topics/hosted/utxos.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Row } from "../parts/panel-options.ts";
import { table } from "../parts/table.ts";
import { NETWORK } from "../parts/selectors.ts";

const { metrics: utxos } = hostedUtxos;
const { metrics: rewards } = hostedAddressRewards;
const { metrics: holdings } = hostedHoldings;
const { metrics: transactions } = hostedTransactions;
const { info } = hostedAddresses.metrics;

const NAME = { wallet: { title: "Name", width: 130, short: true } } as const;
const held = (state: string) => `sum by (network, address) (${where(utxos.amount, { ...NETWORK, state })})`;
const moved = (direction: string) => where(transactions.transactions, { direction });

export const hostedRow: Row = {
  id: 400,
  title: "Watched addresses (hosted Data API)",
  collapsed: true,
  panels: [
    table(
      {
        id: 401,
        title: "Wallets on the P-, X- and C-Chain",
        about:
          "AVAX of each address in unspent outputs on all polled chains: free, staked or locked, the next unlock, and paid and pending staking rewards.",
        width: 24,
        height: 6,
        unit: Short,
      },
      {
        labels: { network: { title: "Network", width: 90 }, address: { title: "Address", short: true } },
        more: { expr: `${where(utxos.amount, NETWORK)} * on (address) group_left (wallet) ${info}`, labels: NAME },
        columns: [
          { title: "Free (AVAX)", expr: held("free"), decimals: 3, width: 110 },
          { title: "Staked", expr: held("staked"), decimals: 3, width: 110 },
          { title: "Locked", expr: held("locked"), decimals: 3, width: 110 },
          {
            title: "Next unlock",
            expr: `1000 * min by (network, address) (${where(utxos.unlock, NETWORK)})`,
            unit: DatetimeISO,
            width: 165,
          },
          {
            title: "Rewards paid",
            expr: `sum by (network, address) (${where(rewards.paid, NETWORK)})`,
            decimals: 3,
            width: 115,
          },
          {
            title: "Pending",
            expr: `sum by (network, address) (${where(rewards.pending, NETWORK)})`,
            decimals: 3,
            width: 100,
          },
          { title: "Next reward", expr: `1000 * ${where(rewards.next, NETWORK)}`, unit: DatetimeISO, width: 165 },
        ],
      },
    ),
    table(
      {
        id: 402,
        title: "Accounts on EVM chains",
        about:
          "Coins of each account and their value, its ERC-721 tokens, and its transactions since the exporter started to count.",
        width: 24,
        height: 6,
        unit: Short,
      },
      {
        labels: { evm_chain_id: { title: "Chain ID", width: 100 }, address: { title: "Account", short: true } },
        more: { expr: `${holdings.coins} * on (address) group_left (wallet) ${info}`, labels: NAME },
        columns: [
          { title: "Coins", expr: holdings.coins.name, decimals: 3, width: 110 },
          { title: "Value", expr: holdings.value.name, decimals: 2, width: 110 },
          { title: "ERC-721 tokens", expr: holdings.tokens.name, width: 130 },
          { title: "Sent", expr: moved("out"), width: 80 },
          { title: "Received", expr: moved("in"), width: 95 },
          { title: "Failed", expr: transactions.failed.name, width: 80 },
          { title: "Last transaction", expr: `1000 * ${transactions.last}`, unit: DatetimeISO, width: 165 },
        ],
      },
    ),
  ],
};
