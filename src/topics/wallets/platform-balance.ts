import { PlatformBalances } from "../../api/node/platform-balances.ts";
import { walletName } from "../../api/node/wallets-of.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { shortfallOf } from "./watched-addresses.ts";
import { WITHOUT_REFERENCE_NODE } from "../define/causes.ts";

const SOURCE = "(platform.getBalance, or platform.getUTXOs where the node lacks it,";

export const platformBalance = topic(
  {
    id: "platform-balance",
    about: "What does each watched P-Chain wallet hold?",
    scope: "network",
    needs: { balances: PlatformBalances },
  },
  {
    balance: gauges(
      "avax_wallet_platform_balance_avax",
      `AVAX of a watched P-Chain wallet: unlocked, locked but usable for staking, or locked ${SOURCE} \`unlocked\`, \`lockedStakeable\`, \`lockedNotStakeable\`).`,
      ["wallet", "state"],
      ({ balances }, context) =>
        [...balances].flatMap(([address, { unlocked, lockedStakeable, lockedNotStakeable }]) => {
          const wallet = walletName(context, address);
          return [
            [{ wallet, state: "unlocked" }, unlocked] as const,
            [{ wallet, state: "locked_stakeable" }, lockedStakeable] as const,
            [{ wallet, state: "locked" }, lockedNotStakeable] as const,
          ];
        }),
    ),
    shortfall: gauges(
      "avax_wallet_platform_shortfall_avax",
      `AVAX that a watched P-Chain wallet with a limit has unlocked less than it; 0 while it has enough ${SOURCE} \`unlocked\`; configuration, \`watch.addresses\`, \`low\`).`,
      ["wallet"],
      ({ balances }, context) =>
        [...balances].map(([address, { unlocked }]) => {
          const { low } = context.addresses.find((wallet) => wallet.address === address) ?? {};
          return [{ wallet: walletName(context, address) }, shortfallOf(unlocked, low)] as const;
        }),
    ),
    utxos: gauges(
      "avax_wallet_platform_utxos",
      `UTXOs that make up the balance of a watched P-Chain wallet ${SOURCE} number of \`utxoIDs\`).`,
      ["wallet"],
      ({ balances }, context) =>
        [...balances].map(([address, { utxos }]) => [{ wallet: walletName(context, address) }, utxos]),
    ),
  },
  ({ shortfall }) => ({
    AvaxPlatformWalletLow: {
      severity: "warning",
      when: { of: shortfall, above: 0 },
      labels: ["network", "wallet"],
      for: "10m",
      explainedBy: [WITHOUT_REFERENCE_NODE],
      summary: '{{ $labels.wallet }} is {{ $value | printf "%.4g" }} AVAX below its limit on the P-Chain',
      over: "has enough AVAX unlocked on the P-Chain",
      description: "Unlocked AVAX counts ({{ $labels.network }}).",
      meaning:
        "Payments from this wallet (stakes, balances of L1 validators, fees) will soon fail for lack of unlocked AVAX. Locked amounts do not count.",
      confirm:
        "Check `avax_wallet_platform_balance_avax` by `state`. `avax_wallet_import_avax` shows exports to the C-Chain that are not imported yet.",
      commands: {
        [`call <any-node> platform.getBalance '{"addresses": ["<address>"]}'`]: "`unlocked`, in nAVAX.",
        [`call <any-node> ledger.getUTXOs '{"addresses": ["<address-on-C>"], "sourceChain": "P"}'`]:
          "Exports to the C-Chain that are not imported yet.",
      },
      action: "Send AVAX to the wallet, or correct `low` in `watch.addresses`.",
      falsePositives: "The wallet is meant to be empty: remove its `low`.",
    },
  }),
);
