import { EvmBalances, walletsOn } from "../../api/node/evm-facts.ts";
import { toCoins } from "../../api/node/evm-wire.ts";
import { chainLabel } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { watchedAddresses } from "./watched-addresses.ts";
import { WITHOUT_REFERENCE_NODE } from "../define/causes.ts";

const { low } = watchedAddresses.metrics;

export const evmWallets = topic(
  {
    id: "evm-wallets",
    about: "Is the balance of a watched EVM address too low?",
    scope: "network",
    needs: { balances: EvmBalances },
  },
  {
    balance: gauges(
      "avax_wallet_evm_balance_avax",
      "Balance of a watched address on an EVM chain, in AVAX or the chain's own coin (eth_getBalance, `result`).",
      ["chain", "wallet"],
      ({ balances }, context) =>
        [...balances].flatMap(([id, byAddress]) =>
          walletsOn(context, id).map(({ address, name }) => {
            const wei = byAddress.get(address);
            return [
              { chain: chainLabel(context, id), wallet: name },
              wei === undefined ? undefined : toCoins(wei),
            ] as const;
          }),
        ),
    ),
  },
  ({ balance }) => ({
    AvaxEvmWalletLow: {
      severity: "warning",
      expr: `${balance} < ignoring (chain) group_left () ${low}`,
      labels: ["network", "chain", "wallet"],
      for: "10m",
      explainedBy: [WITHOUT_REFERENCE_NODE],
      summary: '{{ $labels.wallet }} has {{ $value | printf "%.4g" }} left on {{ $labels.chain }}',
      description: "It is less than its `low` in the configuration ({{ $labels.network }}).",
      meaning: "A wallet that pays fees or funds something has less than its configured limit.",
      confirm: "`avax_wallet_evm_balance_avax` over the last days shows how fast it falls and when it will be empty.",
      commands: {
        [`call <any-node> eth_getBalance '["<address>", "latest"]' --chain=<chain>`]:
          "The balance in wei, hexadecimal.",
      },
      action: "Send coins to the address on that chain. If it falls faster than expected, check what it pays for.",
      falseWhen: "The wallet was emptied on purpose: remove it from `watch.addresses`, or lower `low`.",
    },
  }),
);
