import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { l1Validator } from "../../../topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../topics/l1/l1-runway.ts";
import { where } from "../../../catalogue/selector.ts";
import { quorumMargin } from "../../../topics/l1/quorum-margin.ts";
import { DEFAULT_QUORUM_RATIO, quorum, SIGNATURE_RATIO } from "../../../topics/l1/quorum.ts";
import { validators } from "../../../topics/validators/validators.ts";
import { redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { lines, stat } from "../parts/panels.ts";
import { NETWORK, SUBNET } from "../parts/selectors.ts";

const MONTH = 30 * 86_400;
const connected = where(quorum.metrics.connected, SUBNET);

export const quorumRow = {
  id: 100,
  title: "Quorum",
  panels: [
    stat(
      {
        id: 101,
        title: "Connected weight",
        about: `Share of the weight that is active and connected to the network's reference node. Below what consensus requires, ${DEFAULT_QUORUM_RATIO * 100} % by default, the chains can stop; below ${SIGNATURE_RATIO * 100} % they cannot sign messages to other chains.`,
        width: 4,
        unit: PercentUnit,
        decimals: 1,
        thresholds: redBelow(DEFAULT_QUORUM_RATIO),
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
      [[connected, "{{subnet}}"]],
    ),
    stat(
      {
        id: 109,
        title: "Spare validators",
        about:
          "Validators that can go offline, heaviest first, before less of the weight is connected than consensus requires. 0: losing the heaviest one is enough.",
        width: 4,
        unit: Short,
        noValue: "no quorum",
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
      [[where(quorumMargin.metrics.spare, SUBNET), "{{subnet}}"]],
    ),
    stat(
      {
        id: 102,
        title: "Validators",
        about: "Entries in the validator set of each chosen subnet. A node can have several.",
        width: 3,
        unit: Short,
      },
      [
        [
          `${where(validators.metrics.count, SUBNET)} and on (network, subnet) ${where(quorum.metrics.active, SUBNET)}`,
          "{{subnet}}",
        ],
      ],
    ),
    stat(
      {
        id: 103,
        title: "Without balance",
        about:
          "Validators of the chosen L1s whose balance ran out. Their weight still counts in the total, but does not sign.",
        width: 3,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxL1RunwayCritical"],
      },
      [[`sum by (subnet) (${where(l1Validator.metrics.active, SUBNET)} == bool 0)`, "{{subnet}}"]],
    ),
    stat(
      {
        id: 104,
        title: "Shortest runway",
        about: "Time until the smallest nonzero balance runs out at the current price.",
        width: 4,
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[`min by (subnet) (${where(l1Runway.metrics.runway, SUBNET)} > 0)`, "{{subnet}}"]],
    ),
    stat(
      {
        id: 105,
        title: "AVAX per month",
        about:
          "Fee of each L1 validator for 30 days at the current price, in AVAX. “observed”: derived from falling balances, because the server does not report the price.",
        width: 3,
        unit: Short,
        decimals: 3,
      },
      [
        [
          `${MONTH} * ${where(l1Runway.metrics.price, NETWORK)} * on (instance, job, network) group_right () ${where(l1Runway.metrics.source, NETWORK)}`,
          "{{network}} {{source}}",
        ],
      ],
    ),
    stat(
      {
        id: 106,
        title: "Fee clock age",
        about: "Age of the P-Chain's own clock, by which balances are charged. It only moves with new blocks.",
        width: 3,
        unit: Seconds,
        decimals: 0,
      },
      [[`time() - ${where(l1Runway.metrics.clock, NETWORK)}`, "{{network}}"]],
    ),
    lines(
      {
        id: 107,
        title: "Connected and active weight",
        about:
          "Share of the weight that is active (for an L1: has a balance), share that is active and connected, and the share that consensus requires.",
        width: 12,
        unit: PercentUnit,
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
      [
        [connected, "{{subnet}} connected"],
        [where(quorum.metrics.active, SUBNET), "{{subnet}} active"],
        [where(quorumMargin.metrics.requirement, SUBNET), "{{subnet}} required"],
      ],
    ),
    lines(
      {
        id: 108,
        title: "Next balances to run out (days)",
        about: "Runway at the current price of the six validations of the chosen L1s that run out next.",
        width: 12,
        unit: Short,
        thresholds: redOrangeBelow(LAST_RUNWAY / 86_400, SHORT_RUNWAY / 86_400),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[`bottomk(6, ${where(l1Runway.metrics.runway, SUBNET)} > 0) / 86400`, "{{node_id}} {{validation_id}}"]],
    ),
  ],
};
