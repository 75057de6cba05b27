import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { peers } from "../../../src/topics/node/peers.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { subnetChains } from "../../../src/topics/network/subnet-chains.ts";
import { subnetUptime } from "../../../src/topics/validators/uptime.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK, NODE, SUBNET, withNames } from "../parts/selectors.ts";

const OF_NODE = { ...NODE, ...SUBNET } as const;

export const subnetsRow: Row = {
  id: 210,
  title: "Other subnets and blockchains",
  collapsed: true,
  panels: [
    lines(
      {
        id: 203,
        title: "Peers tracking the subnet",
        about:
          "Peers that track the subnet, on the nodes with the fewest and the most. Only these peers can serve its blocks.",
        width: 12,
        unit: Short,
        decimals: 0,
      },
      [
        [withSubnetNames(`min by (network, subnet) (${where(peers.metrics.tracking, OF_NODE)})`), "{{name}} fewest"],
        [withSubnetNames(`max by (network, subnet) (${where(peers.metrics.tracking, OF_NODE)})`), "{{name}} most"],
      ],
    ),
    table(
      {
        id: 204,
        title: "Other subnet validators",
        about:
          "Watched validators of permissioned and elastic subnets, with their weight and remaining period. First to end first.",
        width: 12,
        unit: Short,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
      },
      {
        labels: {
          subnet: { title: "Subnet", width: 100, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
        },
        more: { expr: withNames(where(validator.metrics.subnetWeight, SUBNET)), labels: { name: { title: "Name" } } },
        sortedBy: "Ends in",
        columns: [
          { title: "Weight", expr: where(validator.metrics.subnetWeight, SUBNET), width: 75 },
          {
            title: "Ends in",
            expr: `${where(validator.metrics.end, SUBNET)} - time() and on (network, subnet, node_id) ${where(validator.metrics.subnetWeight, SUBNET)}`,
            unit: Seconds,
            decimals: 1,
            width: 105,
          },
        ],
      },
    ),
    table(
      {
        id: 205,
        title: "Subnets",
        about:
          "Total weight of each chosen subnet (including inactive validators), its number of blockchains, and the lowest uptime and rewarding stake of the polled nodes in it.",
        width: 10,
        height: 5,
        unit: Short,
      },
      {
        labels: { subnet: { title: "Subnet", short: true, width: 100 } },
        more: { expr: withSubnetNames(where(validators.metrics.weight, SUBNET)), labels: { name: { title: "Name" } } },
        columns: [
          { title: "Weight", expr: where(validators.metrics.weight, SUBNET), width: 75 },
          { title: "Chains", expr: where(subnetChains.metrics.count, SUBNET), width: 70 },
          {
            title: "Uptime",
            expr: `min by (subnet) (${where(subnetUptime.metrics.average, OF_NODE)})`,
            unit: PercentUnit,
            width: 90,
          },
          {
            title: "Rewarding",
            expr: `min by (subnet) (${where(subnetUptime.metrics.rewarding, OF_NODE)})`,
            unit: PercentUnit,
            width: 90,
          },
        ],
      },
    ),
    table(
      {
        id: 206,
        title: "Blockchains",
        about:
          "Blockchains of the chosen subnets with the names given by their creators, and the number of blockchains in the network.",
        width: 14,
        height: 5,
        unit: Short,
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          subnet: { title: "Subnet", width: 90, short: true },
          chain: { title: "Chain", width: 90 },
        },
        more: {
          expr: where(subnetChains.metrics.chain, SUBNET),
          labels: { name: { title: "Name", width: 90 }, vm_id: { title: "VM", short: true } },
        },
        columns: [
          {
            title: "Network total",
            expr: `${where(subnetChains.metrics.chain, SUBNET)} * on (instance, job, network) group_left () ${where(subnetChains.metrics.total, NETWORK)}`,
            width: 115,
          },
        ],
      },
    ),
  ],
};
