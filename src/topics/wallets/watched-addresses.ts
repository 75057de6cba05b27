import { isOfNetwork } from "../../api/node/wallets.ts";
import { gauges } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";

/** Limits of watched wallets from the configuration: one family for the balances of all interfaces. */
export const watchedAddresses = topic(
  {
    id: "watched-addresses",
    about: "Below which balance is each watched wallet running dry?",
    scope: "network",
    needs: {},
  },
  {
    low: gauges(
      "avax_wallet_low_balance_avax",
      "Balance below which a watched wallet is running dry, in AVAX or the chain's own coin (configuration, `watch.addresses`, `low`).",
      ["wallet"],
      (_data, { addresses, network }) =>
        addresses
          .filter(({ address }) => isOfNetwork(address, network))
          .map(({ name, low }) => [{ wallet: name }, low]),
    ),
  },
);
