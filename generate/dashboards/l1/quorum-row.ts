import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { quorumMargin } from "../../../src/topics/l1/quorum-margin.ts";
import { DEFAULT_QUORUM_RATIO, quorum, SIGNATURE_RATIO } from "../../../src/topics/l1/quorum.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { withSubnetNames, NETWORK, SUBNET, withNames, select, top } from "../parts/selectors.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { RUN_OUT } from "../parts/rewards.ts";
import { orangeBelow, redAbove, redBelow, redOrangeBelow } from "../parts/format.ts";

const of = select(SUBNET);
const MONTH = 30 * 86_400;
const connected = of(quorum.metrics.connected);

export const quorumRow: Row = {
  title: "Quorum",
  legend: "{{name}}",
  panels: [
    stat(
      "Connected weight",
      `Share of the weight that is active and connected to the network's reference node. Below what consensus requires, ${DEFAULT_QUORUM_RATIO * 100} % by default, the chains can stop; below ${SIGNATURE_RATIO * 100} % they cannot sign messages to other chains.`,
      withSubnetNames(connected),
      {
        unit: PercentUnit,
        decimals: 1,
        thresholds: redBelow(DEFAULT_QUORUM_RATIO),
        alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"],
      },
    ),
    stat(
      "Spare validators",
      "Validators that can go offline, heaviest first, before less of the weight is connected than consensus requires. 0: losing the heaviest one is enough.",
      withSubnetNames(of(quorumMargin.metrics.spare)),
      { noValue: "no quorum", thresholds: orangeBelow(1), alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"] },
    ),
    stat(
      "Validators",
      "Entries in the validator set of each chosen subnet. A node can have several.",
      withSubnetNames(`${of(validators.metrics.count)} and on (network, subnet) ${of(quorum.metrics.active)}`),
    ),
    stat(
      "Without balance",
      "Validators of the chosen L1s whose balance ran out. Their weight still counts in the total, but does not sign.",
      withSubnetNames(`sum by (network, subnet) (${of(l1Validator.metrics.active)} == bool 0)`),
      { thresholds: redAbove(1), alerts: ["AvaxL1RunwayCritical"] },
    ),
    stat(
      "Shortest runway",
      "Time until the smallest balance of each chosen L1 runs out at the current price, or run out: a validator of the L1 does not sign any longer.",
      withSubnetNames(`min by (network, subnet) (${of(l1Runway.metrics.runway)})`),
      {
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        mappings: RUN_OUT,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
    ),
    stat(
      "AVAX per month",
      "Fee of each L1 validator for 30 days at the current price, in AVAX. “observed”: derived from falling balances, because the server does not report the price.",
      [
        `${MONTH} * ${where(l1Runway.metrics.price, NETWORK)} * on (instance, job, network) group_right () ${where(l1Runway.metrics.source, NETWORK)}`,
        "{{network}} {{source}}",
      ],
      { decimals: 3 },
    ),
    stat(
      "Fee clock age",
      "Age of the P-Chain's own clock, by which balances are charged. It only moves with new blocks.",
      [`time() - ${where(l1Runway.metrics.clock, NETWORK)}`, "{{network}}"],
      { unit: Seconds, decimals: 0 },
    ),
    lines(
      "Connected and active weight",
      "Share of the weight that is active (for an L1: has a balance), share that is active and connected, and the share that consensus requires.",
      [
        [withSubnetNames(connected), "{{name}} connected"],
        [withSubnetNames(of(quorum.metrics.active)), "{{name}} active"],
        [withSubnetNames(of(quorumMargin.metrics.requirement)), "{{name}} required"],
      ],
      { unit: PercentUnit, limits: "required", alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumAtRisk"] },
    ),
    lines(
      "Next balances to run out",
      "Runway at the current price of the six validations of the chosen L1s that run out next.",
      [
        withNames(top(`(${of(l1Runway.metrics.runway)} > 0)`, { of: "lowest", by: "validation_id" })),
        "{{name}} {{validation_id}}",
      ],
      {
        unit: Seconds,
        in: "d",
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
    ),
  ],
};
