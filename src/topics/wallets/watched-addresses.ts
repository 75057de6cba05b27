import { isOfNetwork } from "../../api/node/wallets-of.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

/** How much is missing to the limit of a wallet: 0 where it has enough, unknown without a limit or a balance. */
export function shortfallOf(balance: number | undefined, low: number | undefined): number | undefined {
  return balance === undefined || low === undefined ? undefined : Math.max(0, low - balance);
}

/** Limits of watched wallets from the configuration: one family for the balances of all interfaces. */
export const watchedAddresses = topic(
  {
    id: "watched-addresses",
    about: "Below which limit is the balance of each watched wallet too low?",
    scope: "network",
    needs: {},
  },
  {
    low: gauges(
      "avax_wallet_low_balance_avax",
      "Configured limit below which the balance of a watched wallet is too low, in AVAX or the chain's own coin (configuration, `watch.addresses`, `low`).",
      ["wallet"],
      (_data, facts) =>
        facts.addresses
          .filter(({ address }) => isOfNetwork(address, facts))
          .map(({ name, low }) => [{ wallet: name }, low]),
    ),
  },
);
