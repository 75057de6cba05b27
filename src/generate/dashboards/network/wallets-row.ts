import { Short } from "@grafana/grafana-foundation-sdk/units";
import { evmWallets } from "../../../topics/wallets/evm-wallets.ts";
import { platformBalance } from "../../../topics/wallets/platform-balance.ts";
import { where } from "../../../catalogue/selector.ts";
import { waitingUtxos } from "../../../topics/wallets/utxos.ts";
import { watchedAddresses } from "../../../topics/wallets/watched-addresses.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK } from "../parts/selectors.ts";

const { metrics: platform } = platformBalance;
const { metrics: waiting } = waitingUtxos;
const low = where(watchedAddresses.metrics.low, NETWORK);
const unlocked = where(platform.balance, { ...NETWORK, state: "unlocked" });
const evm = where(evmWallets.metrics.balance, NETWORK);

export const walletsRow = {
  id: 600,
  title: "Watched wallets",
  panels: [
    table(
      {
        id: 601,
        title: "Wallets",
        about: "Spendable balance of each watched wallet, its configured limit, and its number of UTXOs.",
        width: 12,
        unit: Short,
        alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"],
      },
      {
        labels: { network: { title: "Network", width: 100 }, wallet: { title: "Wallet" } },
        columns: [
          { title: "P-Chain (AVAX)", expr: unlocked, decimals: 3, width: 125 },
          { title: "EVM (coins)", expr: `min by (network, wallet) (${evm})`, decimals: 3, width: 110 },
          { title: "Limit", expr: low, width: 95 },
          {
            title: "Sufficient",
            expr: `(min by (network, wallet) (${evm}) or max by (network, wallet) (${unlocked})) >= bool on (network, wallet) max by (network, wallet) (${low})`,
            mappings: YES_NO,
            width: 80,
          },
          { title: "UTXOs", expr: where(platform.utxos, NETWORK), width: 80 },
        ],
      },
    ),
    table(
      {
        id: 602,
        title: "Pending imports",
        about:
          "Exports of watched wallets to the C-Chain that are not imported yet, by source chain. Truncated: more UTXOs than one poll reads.",
        width: 12,
        unit: Short,
        alerts: ["AvaxUtxoWaiting"],
      },
      {
        labels: {
          network: { title: "Network", width: 100 },
          wallet: { title: "Wallet" },
          source_chain: { title: "From", width: 80 },
        },
        columns: [
          { title: "UTXOs", expr: where(waiting.count, NETWORK), thresholds: redAbove(1), width: 90 },
          { title: "AVAX", expr: where(waiting.avax, NETWORK), decimals: 3, width: 110 },
          {
            title: "Truncated",
            expr: where(waiting.truncated, NETWORK),
            mappings: { 0: ["no", "text"], 1: ["yes", "orange"] },
            width: 130,
          },
        ],
      },
    ),
    lines(
      {
        id: 603,
        title: "P-Chain balances (AVAX)",
        about: "Spendable AVAX of each watched P-Chain wallet, and locked AVAX, including locked stakeable AVAX.",
        width: 12,
        unit: Short,
        alerts: ["AvaxPlatformWalletLow"],
      },
      [
        [unlocked, "{{wallet}}"],
        [`sum by (wallet) (${where(platform.balance, { ...NETWORK, state: "!=unlocked" })})`, "{{wallet}} locked"],
      ],
    ),
    lines(
      {
        id: 604,
        title: "EVM balances (coins)",
        about: "Balance of each watched address on each EVM chain, in AVAX or the chain's own coin.",
        width: 12,
        unit: Short,
        alerts: ["AvaxEvmWalletLow"],
      },
      [[evm, "{{network}} {{wallet}} {{chain}}"]],
    ),
  ],
};
