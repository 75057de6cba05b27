import { isOfNetwork } from "../../api/node/wallets.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

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
      (_data, { addresses, network }) =>
        addresses
          .filter(({ address }) => isOfNetwork(address, network))
          .map(({ name, low }) => [{ wallet: name }, low]),
    ),
  },
);
