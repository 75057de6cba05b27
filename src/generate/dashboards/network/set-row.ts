import { PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../catalogue/selector.ts";
import { referenceNode } from "../../../topics/network/reference-node.ts";
import { supply } from "../../../topics/network/supply.ts";
import { UPTIME_RANGES } from "../../../topics/labels.ts";
import { END_RANGES, validators } from "../../../topics/validators/validators.ts";
import { bars, lines, stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY } from "../parts/selectors.ts";

const { metrics: set } = validators;

export const setRow = {
  id: 100,
  title: "Validators and stake",
  panels: [
    stat(
      {
        id: 101,
        title: "Validators",
        about: "Validators of the Primary Network.",
        width: 4,
        unit: Short,
      },
      [[where(set.count, PRIMARY), "{{network}}"]],
    ),
    stat(
      {
        id: 102,
        title: "Connected",
        about: "Share of the Primary Network's validators that the network's reference node is connected to.",
        width: 4,
        unit: PercentUnit,
        decimals: 1,
      },
      [[`${where(set.connected, PRIMARY)} / ${where(set.count, PRIMARY)}`, "{{network}}"]],
    ),
    stat(
      {
        id: 103,
        title: "Stake (AVAX)",
        about: "Own and delegated stake of the Primary Network, in AVAX.",
        width: 4,
        unit: Short,
        decimals: 1,
      },
      [[`sum by (network) (${where(set.stake, NETWORK)})`, "{{network}}"]],
    ),
    stat(
      {
        id: 104,
        title: "Staked share",
        about:
          "Share of the AVAX supply that is staked, own and delegated. Burnt fees are not subtracted from the supply.",
        width: 4,
        unit: PercentUnit,
        decimals: 1,
      },
      [
        [
          `sum by (network) (${where(set.stake, NETWORK)}) / on (network) max by (network) (${where(supply.metrics.avax, NETWORK)})`,
          "{{network}}",
        ],
      ],
    ),
    stat(
      {
        id: 105,
        title: "Delegators",
        about: "Delegations to all validators of the Primary Network.",
        width: 4,
        unit: Short,
      },
      [[where(set.delegators, PRIMARY), "{{network}}"]],
    ),
    stat(
      {
        id: 106,
        title: "Reference node",
        about: "The node that is polled for the facts about each network as a whole.",
        width: 4,
        unit: Short,
        alerts: ["AvaxNetworkWithoutReferenceNode"],
      },
      [[`${where(referenceNode.metrics.node, NETWORK)} == 1`, "{{network}}: {{node}}"]],
      "name",
    ),
    bars(
      {
        id: 107,
        title: "Validators by uptime",
        about:
          "Primary Network validators by the uptime that the network's reference node observed. Rewards require 80 or 90 %.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      UPTIME_RANGES.map((range) => [`sum(${where(set.uptime, { ...PRIMARY, range })})`, range] as const),
    ),
    bars(
      {
        id: 108,
        title: "Stake by time left (AVAX)",
        about: "Own and delegated stake of the Primary Network in AVAX, by days until its staking period ends.",
        width: 8,
        unit: Short,
        decimals: 1,
      },
      END_RANGES.map((remaining) => [`sum(${where(set.ending, { ...NETWORK, remaining })})`, remaining] as const),
    ),
    lines(
      {
        id: 109,
        title: "Own and delegated stake (AVAX)",
        about: "Stake of the Primary Network in AVAX, by staker.",
        width: 8,
        unit: Short,
      },
      [[where(set.stake, NETWORK), "{{network}} {{staker}}"]],
      "stacked",
    ),
  ],
};
