import { Acps, scheduled, TxFee, Upgrades } from "../../api/node/info.ts";
import { gauges, infos } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { someNamed } from "../labels.ts";

export const upgrades = topic(
  { id: "upgrades", about: "When do network upgrades activate?", scope: "network", needs: { times: Upgrades } },
  {
    activation: gauges(
      "avax_upgrade_activation_timestamp_seconds",
      "Activation time of an upgrade in the schedule of the network's reference node, ahead or past; absent while it is not scheduled (info.upgrades).",
      ["upgrade"],
      ({ times }) => someNamed(times).map(([upgrade, time]) => [{ upgrade }, scheduled(time)]),
    ),
  },
);

export const acps = topic(
  {
    id: "acps",
    about: "How much stake supports or objects to each community proposal?",
    scope: "network",
    needs: { answer: Acps },
  },
  {
    stake: gauges(
      "avax_acp_stake_avax",
      "Stake by stance on a community proposal (info.acps, `supportWeight`, `objectWeight`, `abstainWeight`).",
      ["acp", "stance"],
      ({ answer }) =>
        someNamed(answer.acps).flatMap(([acp, { supportWeight, objectWeight, abstainWeight }]) => [
          [{ acp, stance: "support" }, supportWeight],
          [{ acp, stance: "object" }, objectWeight],
          [{ acp, stance: "abstain" }, abstainWeight],
        ]),
    ),
  },
);

export const acpVotes = topic(
  {
    id: "acp-votes",
    about: "How do the watched validators vote on each community proposal?",
    scope: "network",
    watched: true,
    needs: { answer: Acps },
  },
  {
    vote: infos(
      "avax_acp_vote_info",
      "Stance of a watched validator on a community proposal, for or against it (info.acps, `supporters`, `objectors`).",
      ["acp", "node_id", "stance"],
      ({ answer }, { watchNetwork }) =>
        someNamed(answer.acps).flatMap(([acp, { supporters, objectors }]) =>
          (
            [
              ["support", supporters],
              ["object", objectors],
            ] as const
          ).flatMap(([stance, ids]) => {
            const said = new Set(ids);
            return watchNetwork.filter((id) => said.has(id)).map((id) => ({ acp, node_id: id, stance }));
          }),
        ),
    ),
  },
);

export const txFees = topic(
  { id: "tx-fees", about: "What does each kind of transaction cost?", scope: "network", needs: { fees: TxFee } },
  {
    fee: gauges(
      "avax_tx_fee_avax",
      "Fixed fee by kind of transaction; requested only when configured, because each call logs a warning on the node (info.getTxFee).",
      ["kind"],
      ({ fees }) => someNamed(fees).map(([kind, fee]) => [{ kind }, fee]),
    ),
  },
);
