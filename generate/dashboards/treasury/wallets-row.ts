import { Short } from "@grafana/grafana-foundation-sdk/units";
import { platformBalance } from "../../../src/topics/wallets/platform-balance.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { waitingUtxos } from "../../../src/topics/wallets/utxos.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";
import { coins, limit, sufficient, unlocked } from "./wallet-figures.ts";

const { metrics: platform } = platformBalance;
const { metrics: waiting } = waitingUtxos;
/** Wallets and source chains from which something waits. */
const PENDING = `and on (network, wallet, source_chain) ${where(waiting.count, NETWORK)} > 0`;
/** Each exporter of a pair has the series, and a wallet one for each state. Wallets without locked AVAX have no line. */
const locked = `(sum by (network, wallet) (max by (network, wallet, state) (${where(platform.balance, { ...NETWORK, state: "!=unlocked" })})) > 0)`;
/** Lines of a chart. */
const OF_WALLETS = { of: "lowest", by: "network, wallet", count: 4 } as const;

export const walletsRow: Row = {
  id: 200,
  title: "Watched wallets",
  panels: [
    table(
      {
        id: 201,
        title: "Wallets",
        about: "Spendable balance of each watched wallet, its configured limit, and its number of UTXOs.",
        width: 12,
        height: 9,
        unit: Short,
        alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"],
      },
      {
        labels: { network: { title: "Network", width: 100 }, wallet: { title: "Wallet" } },
        sortedBy: "Sufficient",
        columns: [
          { title: "P-Chain (AVAX)", expr: unlocked, decimals: 3, width: 130 },
          { title: "EVM (coins)", expr: `min by (network, wallet) (${coins})`, decimals: 3, width: 110 },
          { title: "Limit", expr: limit, width: 95 },
          {
            title: "Sufficient",
            expr: sufficient,
            mappings: YES_NO,
            width: 95,
          },
          { title: "UTXOs", expr: where(platform.utxos, NETWORK), width: 80 },
        ],
      },
    ),
    table(
      {
        id: 202,
        title: "Pending imports",
        about:
          "Exports of watched wallets to the C-Chain that are not imported yet, by source chain. Truncated: more UTXOs than one poll reads.",
        width: 12,
        height: 9,
        unit: Short,
        noValue: "no pending imports",
        alerts: ["AvaxUtxoWaiting"],
      },
      {
        labels: {
          network: { title: "Network", width: 100 },
          wallet: { title: "Wallet" },
          source_chain: { title: "From", width: 80 },
        },
        columns: [
          {
            title: "UTXOs",
            expr: `${where(waiting.count, NETWORK)} > 0`,
            unit: "locale",
            thresholds: redAbove(1),
            width: 90,
          },
          { title: "AVAX", expr: `${where(waiting.avax, NETWORK)} ${PENDING}`, decimals: 3, width: 110 },
          {
            title: "Truncated",
            expr: `${where(waiting.truncated, NETWORK)} ${PENDING}`,
            mappings: { 0: ["no", "text"], 1: ["yes", "orange"] },
            width: 130,
          },
        ],
      },
    ),
    lines(
      {
        id: 203,
        title: "P-Chain balances (AVAX)",
        about:
          "Spendable AVAX of each watched P-Chain wallet, and locked AVAX, including locked stakeable AVAX. The wallets with the least spendable and the most locked AVAX.",
        width: 12,
        unit: Short,
        alerts: ["AvaxPlatformWalletLow"],
      },
      [
        [top(unlocked, OF_WALLETS), "{{network}} {{wallet}}"],
        [top(locked, { ...OF_WALLETS, of: "highest" }), "{{network}} {{wallet}} locked"],
      ],
    ),
    lines(
      {
        id: 204,
        title: "EVM balances (coins)",
        about:
          "Balance of each watched address on each EVM chain, in AVAX or the chain's own coin. The addresses with the least.",
        width: 12,
        unit: Short,
        alerts: ["AvaxEvmWalletLow"],
      },
      [[top(coins, { ...OF_WALLETS, by: "network, wallet, chain" }), "{{network}} {{wallet}} {{chain}}"]],
    ),
  ],
};
