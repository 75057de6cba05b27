import { DurationSeconds, PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../metrics/identity.ts";
import { nodeNetwork } from "../../metrics/node-network.ts";
import { where } from "../../metrics/promql.ts";
import { LEAST_REWARDING_RATIO, LOW_UPTIME_RATIO, subnetUptime, uptime } from "../../metrics/uptime.ts";
import { ENDING_SOON, validator } from "../../metrics/validator.ts";
import { validatorView } from "../../metrics/validator-view.ts";
import { redBelow, YES_NO } from "./face.ts";
import { lines, stat, timeline } from "./panels.ts";
import { rows } from "./rows.ts";

const NODE = { node: "=~$node" } as const;
const NETWORK = { network: "=~$network" } as const;
const VIEW = { ...NODE, ...NETWORK } as const;
/** Facts of the network about the validators that the chosen nodes themselves are. */
const OWN = `and on (network, node_id) ${where(identity.metrics.node, NODE)}`;
const { metrics: staked } = validator;

/** Will the node be paid at the end of its stake? */
export const validatorRow = {
  id: 200,
  title: "Validator and uptime",
  panels: [
    stat(
      {
        id: 201,
        title: "Validates the Primary Network",
        about: "Whether the node says that it is a validator now.",
        width: 5,
        unit: Short,
        words: { 0: ["no validator", "blue"], 1: ["validator", "green"] },
        alerts: ["AvaxNodeStoppedValidating", "AvaxValidatorGone"],
      },
      [[where(uptime.metrics.validator, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 202,
        title: "Stake that would reward",
        about:
          "Share of stake that considers the node above the uptime requirement. At the end of the staking period this stake decides about the reward.",
        width: 5,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[where(uptime.metrics.rewarding, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 203,
        title: "Uptime granted",
        about: "Stake-weighted average of the uptimes that the validators observed of the node.",
        width: 5,
        unit: PercentUnit,
        thresholds: redBelow(LOW_UPTIME_RATIO),
        alerts: ["AvaxUptimeNearRequirement"],
      },
      [[where(uptime.metrics.average, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 204,
        title: "Stake ends in",
        about: "Time until the staking period of the node's own validator ends.",
        width: 5,
        unit: DurationSeconds,
        thresholds: redBelow(ENDING_SOON),
        alerts: ["AvaxValidatorEndingSoon"],
      },
      [[`${where(staked.end, NETWORK)} - time() ${OWN}`, "{{node_id}} {{subnet}}"]],
    ),
    stat(
      {
        id: 205,
        title: "BLS key",
        about: "State of the node's BLS key against the validator set, by its own health check.",
        width: 4,
        unit: Short,
      },
      [[`${where(nodeNetwork.metrics.bls, NODE)} == 1`, "{{node}} {{state}}"]],
      "name",
    ),
    lines(
      {
        id: 206,
        title: "Stake that would reward, and uptime granted",
        about: "Both figures of info.uptime over time. The first drops for a minute after a restart of the node.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk", "AvaxUptimeNearRequirement"],
      },
      [
        [where(uptime.metrics.rewarding, NODE), "{{node}} rewarding stake"],
        [where(uptime.metrics.average, NODE), "{{node}} average uptime"],
        [where(subnetUptime.metrics.rewarding, NODE), "{{node}} {{subnet}} rewarding stake"],
        [where(subnetUptime.metrics.average, NODE), "{{node}} {{subnet}} average uptime"],
      ],
    ),
    lines(
      {
        id: 207,
        title: "Uptime of watched validators, by who sees it",
        about:
          "Uptime of each watched validator as each chosen node observed it. Nodes differ: each counts what it saw itself.",
        width: 12,
        unit: PercentUnit,
        alerts: ["AvaxValidatorDisconnected"],
      },
      [[where(validatorView.metrics.uptime, VIEW), "{{node_id}} {{subnet}} seen by {{node}}"]],
    ),
    timeline(
      {
        id: 208,
        title: "Connection to watched validators, by who sees it",
        about: "Whether each chosen node is connected to each watched validator. A node says yes of itself.",
        width: 12,
        unit: Short,
        words: { 0: ["not connected", "red"], 1: ["connected", "green"] },
        alerts: ["AvaxValidatorDisconnected"],
      },
      [[where(validatorView.metrics.connected, VIEW), "{{node_id}} {{subnet}} seen by {{node}}"]],
    ),
    rows(
      {
        id: 209,
        title: "Watched validators",
        about:
          "Watched validators of the chosen networks, in the set or not, with stake, delegations and what they will be paid if the network grants it.",
        width: 12,
        unit: Short,
        alerts: ["AvaxValidatorGone", "AvaxValidatorEndingSoon"],
      },
      {
        labels: { network: { title: "Network" }, subnet: { title: "Subnet" }, node_id: { title: "Node ID" } },
        columns: [
          { title: "In the set", expr: where(staked.active, NETWORK), words: YES_NO },
          { title: "Stake (AVAX)", expr: where(staked.weight, NETWORK) },
          { title: "Delegated (AVAX)", expr: where(staked.delegated, NETWORK) },
          { title: "Delegators", expr: where(staked.delegators, NETWORK) },
          { title: "Fee", expr: where(staked.fee, NETWORK), unit: PercentUnit },
          { title: "Reward (AVAX)", expr: where(staked.reward, NETWORK) },
          { title: "Fees earned (AVAX)", expr: where(staked.accrued, NETWORK) },
          {
            title: "Ends in",
            expr: `${where(staked.end, NETWORK)} - time()`,
            unit: DurationSeconds,
            thresholds: redBelow(ENDING_SOON),
          },
        ],
      },
    ),
  ],
};
