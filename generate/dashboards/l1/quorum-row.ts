import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { quorumMargin } from "../../../src/topics/l1/quorum-margin.ts";
import { DEFAULT_QUORUM_RATIO, quorum, SIGNATURE_RATIO } from "../../../src/topics/l1/quorum.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { RUN_OUT } from "../parts/rewards.ts";
import { orangeBelow, redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { lines, stat } from "../parts/panels.ts";
import { NETWORK, SUBNET, withNames } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

const MONTH = 30 * 86_400;
const connected = where(quorum.metrics.connected, SUBNET);

export const quorumRow: Row = {
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
      [[withSubnetNames(connected), "{{name}}"]],
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
        thresholds: orangeBelow(1),
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
      [[withSubnetNames(where(quorumMargin.metrics.spare, SUBNET)), "{{name}}"]],
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
          withSubnetNames(
            `${where(validators.metrics.count, SUBNET)} and on (network, subnet) ${where(quorum.metrics.active, SUBNET)}`,
          ),
          "{{name}}",
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
      [
        [
          withSubnetNames(`sum by (network, subnet) (${where(l1Validator.metrics.active, SUBNET)} == bool 0)`),
          "{{name}}",
        ],
      ],
    ),
    stat(
      {
        id: 104,
        title: "Shortest runway",
        about:
          "Time until the smallest balance of each chosen L1 runs out at the current price, or run out: a validator of the L1 does not sign any longer.",
        width: 4,
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        mappings: RUN_OUT,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[withSubnetNames(`min by (network, subnet) (${where(l1Runway.metrics.runway, SUBNET)})`), "{{name}}"]],
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
        limits: "required",
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
      [
        [withSubnetNames(connected), "{{name}} connected"],
        [withSubnetNames(where(quorum.metrics.active, SUBNET)), "{{name}} active"],
        [withSubnetNames(where(quorumMargin.metrics.requirement, SUBNET)), "{{name}} required"],
      ],
    ),
    lines(
      {
        id: 108,
        title: "Next balances to run out",
        about: "Runway at the current price of the six validations of the chosen L1s that run out next.",
        width: 12,
        unit: Seconds,
        in: "d",
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [
        [
          withNames(top(`(${where(l1Runway.metrics.runway, SUBNET)} > 0)`, { of: "lowest", by: "validation_id" })),
          "{{name}} {{validation_id}}",
        ],
      ],
    ),
  ],
};
