import { where } from "../../../src/topics/define/selector.ts";
import { evmWallets } from "../../../src/topics/wallets/evm-wallets.ts";
import { platformBalance } from "../../../src/topics/wallets/platform-balance.ts";
import { watchedAddresses } from "../../../src/topics/wallets/watched-addresses.ts";
import { NETWORK, select, top } from "../parts/selectors.ts";
import { waitingUtxos } from "../../../src/topics/wallets/utxos.ts";
import { YES_NO, redAbove } from "../parts/format.ts";
import { type Row, lines } from "../parts/panels.ts";
import { column, table } from "../parts/table.ts";

/** Spendable AVAX of wallets on the P-Chain. */
export const unlocked = where(platformBalance.metrics.balance, { ...NETWORK, state: "unlocked" });
/** Coins of addresses by EVM chain. */
export const coins = where(evmWallets.metrics.balance, NETWORK);
/** Configured limits of wallets. */
export const limit = where(watchedAddresses.metrics.low, NETWORK);

const lowest = `(min by (network, wallet) (${coins}) or max by (network, wallet) (${unlocked}))`;

/** 1 for each wallet with a limit whose balance, on its poorest chain, reaches it; else 0. */
export const sufficient = `${lowest} >= bool on (network, wallet) max by (network, wallet) (${limit})`;

const of = select(NETWORK);
const { metrics: platform } = platformBalance;
const { metrics: waiting } = waitingUtxos;
/** Wallets and source chains from which something waits. */
const PENDING = `and on (network, wallet, source_chain) ${of(waiting.count)} > 0`;
/** Each exporter of a pair has the series, and a wallet one for each state. Wallets without locked AVAX have no line. */
const locked = `(sum by (network, wallet) (max by (network, wallet, state) (${where(platform.balance, { ...NETWORK, state: "!=unlocked" })})) > 0)`;
/** Lines of a chart. */
const OF_WALLETS = { of: "lowest", by: "network, wallet", count: 4 } as const;

export const walletsRow: Row = {
  title: "Watched wallets",
  panels: [
    table("Wallets", "Spendable balance of each watched wallet, its configured limit, and its number of UTXOs.", {
      height: 9,
      alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"],
      labels: { network: { title: "Network", width: 100 }, wallet: { title: "Wallet" } },
      sortedBy: "Sufficient",
      columns: [
        column("P-Chain (AVAX)", unlocked, { decimals: 3, width: 130 }),
        column("EVM (coins)", `min by (network, wallet) (${coins})`, { decimals: 3, width: 110 }),
        column("Limit", limit, { width: 95 }),
        column("Sufficient", sufficient, { mappings: YES_NO, width: 95 }),
        column("UTXOs", of(platform.utxos), { width: 80 }),
      ],
    }),
    table(
      "Pending imports",
      "Exports of watched wallets to the C-Chain that are not imported yet, by source chain. Truncated: more UTXOs than one poll reads.",
      {
        height: 9,
        noValue: "no pending imports",
        alerts: ["AvaxUtxoWaiting"],
        labels: {
          network: { title: "Network", width: 100 },
          wallet: { title: "Wallet" },
          source_chain: { title: "From", width: 80 },
        },
        columns: [
          column("UTXOs", `${of(waiting.count)} > 0`, { unit: "locale", thresholds: redAbove(1), width: 90 }),
          column("AVAX", `${of(waiting.avax)} ${PENDING}`, { decimals: 3, width: 110 }),
          column("Truncated", `${of(waiting.truncated)} ${PENDING}`, {
            mappings: { 0: ["no", "text"], 1: ["yes", "orange"] },
            width: 130,
          }),
        ],
      },
    ),
    lines(
      "P-Chain balances (AVAX)",
      "Spendable AVAX of each watched P-Chain wallet, and locked AVAX, including locked stakeable AVAX. The wallets with the least spendable and the most locked AVAX.",
      [
        [top(unlocked, OF_WALLETS), "{{network}} {{wallet}}"],
        [top(locked, { ...OF_WALLETS, of: "highest" }), "{{network}} {{wallet}} locked"],
      ],
      { alerts: ["AvaxPlatformWalletLow"] },
    ),
    lines(
      "EVM balances (coins)",
      "Balance of each watched address on each EVM chain, in AVAX or the chain's own coin. The addresses with the least.",
      [top(coins, { ...OF_WALLETS, by: "network, wallet, chain" }), "{{network}} {{wallet}} {{chain}}"],
      { alerts: ["AvaxEvmWalletLow"] },
    ),
  ],
};
