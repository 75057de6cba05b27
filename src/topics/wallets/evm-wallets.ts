import { EvmBalances, walletsOn } from "../../api/node/evm-facts.ts";
import { toCoins } from "../../api/node/evm-wire.ts";
import { chainLabel } from "../labels.ts";
import { type Context, gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { shortfallOf } from "./watched-addresses.ts";
import { WITHOUT_REFERENCE_NODE } from "../define/causes.ts";

type Given = { readonly balances: ReadonlyMap<string, ReadonlyMap<string, bigint | undefined>> };

/** The balance of each watched address on each chain, in coins, and its limit. */
function rowsOf({ balances }: Given, context: Context) {
  return [...balances].flatMap(([id, byAddress]) =>
    walletsOn(context, id).map(({ address, name, low }) => {
      const wei = byAddress.get(address);
      const coins = wei === undefined ? undefined : toCoins(wei);
      return { labels: { chain: chainLabel(context, id), wallet: name }, coins, low };
    }),
  );
}

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
      (data, context) => rowsOf(data, context).map(({ labels, coins }) => [labels, coins] as const),
    ),
    shortfall: gauges(
      "avax_wallet_evm_shortfall_avax",
      "What a watched address with a limit has less than it on an EVM chain, in AVAX or the chain's own coin; 0 while it has enough (eth_getBalance, `result`; configuration, `watch.addresses`, `low`).",
      ["chain", "wallet"],
      (data, context) =>
        rowsOf(data, context).map(({ labels, coins, low }) => [labels, shortfallOf(coins, low)] as const),
    ),
  },
  ({ shortfall }) => ({
    AvaxEvmWalletLow: {
      severity: "warning",
      when: { of: shortfall, above: 0 },
      labels: ["network", "chain", "wallet"],
      for: "10m",
      explainedBy: [WITHOUT_REFERENCE_NODE],
      summary: '{{ $labels.wallet }} is {{ $value | printf "%.4g" }} below its limit on {{ $labels.chain }}',
      over: "has enough on {{ $labels.chain }}",
      description: "The limit is its `low` ({{ $labels.network }}).",
      meaning: "A wallet that pays fees or funds something has less than its configured limit.",
      confirm: "`avax_wallet_evm_balance_avax` over the last days shows how fast it falls and when it will be empty.",
      commands: {
        [`call <any-node> eth_getBalance '["<address>", "latest"]' --chain=<chain>`]:
          "The balance in wei, hexadecimal.",
      },
      action: "Send coins to the address on that chain. If it falls faster than expected, check what it pays for.",
      falsePositives: "The wallet was emptied on purpose: remove it from `watch.addresses`, or lower `low`.",
    },
  }),
);
