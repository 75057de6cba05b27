import { Acps, scheduled, TxFee, Upgrades } from "../../api/node/info.ts";
import { gauges } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";

export const upgrades = topic(
  { id: "upgrades", about: "When do network upgrades activate?", scope: "network", needs: { times: Upgrades } },
  {
    activation: gauges(
      "avax_upgrade_activation_timestamp_seconds",
      "When an upgrade activates or did; absent while it is not scheduled; as the network's reference node knows it (info.upgrades).",
      ["upgrade"],
      ({ times }) => [...times].map(([upgrade, time]) => [{ upgrade }, scheduled(time)]),
    ),
  },
);

/** Most community proposals with series; a release supports about ten. */
const MOST_ACPS = 100;

export const acps = topic(
  {
    id: "acps",
    about: "How much stake stands for or against each community proposal?",
    scope: "network",
    needs: { answer: Acps },
  },
  {
    stake: gauges(
      "avax_acp_stake_avax",
      "Stake by its stance on a community proposal (info.acps, `supportWeight`, `objectWeight`, `abstainWeight`).",
      ["acp", "stance"],
      ({ answer }) =>
        Object.entries(answer.acps)
          .slice(0, MOST_ACPS)
          .flatMap(([acp, { supportWeight, objectWeight, abstainWeight }]) => [
            [{ acp, stance: "support" }, supportWeight],
            [{ acp, stance: "object" }, objectWeight],
            [{ acp, stance: "abstain" }, abstainWeight],
          ]),
    ),
  },
);

export const txFees = topic(
  { id: "tx-fees", about: "What does each kind of transaction cost?", scope: "network", needs: { fees: TxFee } },
  {
    fee: gauges(
      "avax_tx_fee_avax",
      "Fixed fee by kind; asked only when configured, because each call writes a warning into the node's log (info.getTxFee).",
      ["kind"],
      ({ fees }) =>
        Object.entries(fees)
          .slice(0, 50)
          .map(([kind, fee]) => [{ kind }, fee]),
    ),
  },
);
