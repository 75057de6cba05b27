import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { nodeChanges } from "../../../src/topics/node/identity.ts";
import { nodeNetwork } from "../../../src/topics/node/network.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LOW_UPTIME_RATIO, subnetUptime, uptime } from "../../../src/topics/validators/uptime.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { validatorView } from "../../../src/topics/validators/validator-view.ts";
import { YES_NO } from "../parts/mappings.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { LOST, rewardAtEnd } from "../parts/rewards.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { CHOSEN_NODES, NODE, OF_CHOSEN_NODES, PRIMARY, VIEW } from "../parts/selectors.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";

const { metrics: staked } = validator;

export const validatorRow: Row = {
  id: 200,
  title: "Validator and uptime",
  collapsed: true,
  panels: [
    stat(
      {
        id: 201,
        title: "Primary Network validator",
        about: "Whether the node currently reports itself as a validator.",
        width: 6,
        height: 4,
        unit: Short,
        mappings: { 0: ["not a validator", "blue"], 1: ["validator", "green"] },
        alerts: ["AvaxValidatorNotInSet", "AvaxValidatorGone"],
      },
      [[where(uptime.metrics.validator, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 203,
        title: "Observed uptime",
        about: "Stake-weighted average of the uptimes that the validators observed of the node.",
        width: 6,
        height: 4,
        unit: PercentUnit,
        thresholds: redBelow(LOW_UPTIME_RATIO),
        alerts: ["AvaxUptimeNearRequirement"],
      },
      [[where(uptime.metrics.average, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 205,
        title: "BLS key",
        about: "State of the node's BLS key against the validator set, from its own health check.",
        width: 6,
        height: 4,
        unit: Short,
      },
      [[`${where(nodeNetwork.metrics.bls, NODE)} == 1`, "{{node}} {{state}}"]],
      "name",
    ),
    stat(
      {
        id: 106,
        title: "Node ID changes",
        about: "Changes of the node ID that answers at the same address, in the selected time range.",
        width: 6,
        height: 4,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxNodeReplaced"],
      },
      [[`ceil(increase(${where(nodeChanges.metrics.changes, NODE)}[$__range]))`, "{{node}}"]],
    ),
    table(
      {
        id: 209,
        title: "Own validator",
        about:
          "The chosen nodes as validators: stake, delegations and reward in AVAX, and the time until the staking period ends.",
        width: 24,
        height: 6,
        unit: Short,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
      },
      {
        labels: { node_id: { title: "Validator", link: TO_VALIDATOR } },
        more: { expr: CHOSEN_NODES, labels: { node: { title: "Node", width: 120 } } },
        columns: [
          {
            title: "In the set",
            expr: `${where(staked.active, PRIMARY)} ${OF_CHOSEN_NODES}`,
            mappings: YES_NO,
            width: 100,
          },
          {
            title: "Stake (AVAX)",
            expr: `${where(staked.weight, PRIMARY)} ${OF_CHOSEN_NODES}`,
            decimals: 2,
            width: 130,
          },
          { title: "Delegated (AVAX)", expr: `${where(staked.delegated, PRIMARY)} ${OF_CHOSEN_NODES}`, width: 150 },
          {
            title: "Reward (AVAX)",
            expr: `(${rewardAtEnd(PRIMARY)}) ${OF_CHOSEN_NODES}`,
            decimals: 1,
            mappings: LOST,
            width: 130,
          },
          {
            title: "Ends in",
            expr: `${where(staked.end, PRIMARY)} - time() ${OF_CHOSEN_NODES}`,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
            width: 105,
          },
        ],
      },
    ),
    lines(
      {
        id: 213,
        title: "Uptime in subnets",
        about: "Rewarding stake and observed uptime of the node in each configured subnet that it validates.",
        width: 8,
        unit: PercentUnit,
        zoomed: true,
        noValue: "not reported",
      },
      [
        [withSubnetNames(where(subnetUptime.metrics.rewarding, VIEW)), "{{node}} {{name}} rewarding stake"],
        [withSubnetNames(where(subnetUptime.metrics.average, VIEW)), "{{node}} {{name}} average uptime"],
      ],
    ),
    lines(
      {
        id: 211,
        title: "Observed validator uptimes",
        about:
          "Lowest and median uptime of the watched validators, as observed by each chosen node. Nodes differ, because each observes on its own.",
        width: 8,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxValidatorViewsDisagree"],
      },
      [
        [`min by (node) (${where(validatorView.metrics.uptime, VIEW)})`, "{{node}} lowest"],
        [`quantile by (node) (0.5, ${where(validatorView.metrics.uptime, VIEW)})`, "{{node}} median"],
      ],
    ),
    lines(
      {
        id: 212,
        title: "Disconnected watched validators",
        about: "Watched validators without a connection to each chosen node. Many at once: the node itself is cut off.",
        width: 8,
        unit: Short,
        decimals: 0,
        alerts: ["AvaxValidatorDisconnected"],
      },
      [[`sum by (node) (${where(validatorView.metrics.connected, VIEW)} == bool 0)`, "{{node}}"]],
    ),
  ],
};
