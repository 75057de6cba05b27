import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { peers } from "../../../src/topics/node/peers.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { subnetChains } from "../../../src/topics/network/subnet-chains.ts";
import { subnetUptime } from "../../../src/topics/validators/uptime.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { withSubnetNames, NETWORK, NODE, SUBNET, withNames, select } from "../parts/selectors.ts";
import { type Row, lines } from "../parts/panels.ts";
import { column, table, usual } from "../parts/table.ts";

const of = select(SUBNET);
const OF_NODE = { ...NODE, ...SUBNET } as const;

export const subnetsRow: Row = {
  title: "Other subnets and blockchains",
  collapsed: true,
  panels: [
    lines(
      "Peers tracking the subnet",
      "Peers that track the subnet, on the nodes with the fewest and the most. Only these peers can serve its blocks.",
      [
        [withSubnetNames(`min by (network, subnet) (${where(peers.metrics.tracking, OF_NODE)})`), "{{name}} fewest"],
        [withSubnetNames(`max by (network, subnet) (${where(peers.metrics.tracking, OF_NODE)})`), "{{name}} most"],
      ],
      { decimals: 0 },
    ),
    table(
      "Other subnet validators",
      "Watched validators of permissioned and elastic subnets, with their weight and remaining period. First to end first.",
      {
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
        labels: usual("subnet", "node_id"),
        more: { expr: withNames(of(validator.metrics.subnetWeight)), labels: usual("name") },
        sortedBy: "Ends in",
        columns: [
          column("Weight", of(validator.metrics.subnetWeight), { width: 75 }),
          column(
            "Ends in",
            `${of(validator.metrics.end)} - time() and on (network, subnet, node_id) ${of(validator.metrics.subnetWeight)}`,
            { unit: Seconds, decimals: 1, width: 105 },
          ),
        ],
      },
    ),
    table(
      "Subnets",
      "Total weight of each chosen subnet (including inactive validators), its number of blockchains, and the lowest uptime and rewarding stake of the polled nodes in it.",
      {
        width: 10,
        height: 5,
        labels: usual("subnet"),
        more: { expr: withSubnetNames(of(validators.metrics.weight)), labels: usual("name") },
        columns: [
          column("Weight", of(validators.metrics.weight), { width: 75 }),
          column("Chains", of(subnetChains.metrics.count), { width: 70 }),
          column("Uptime", `min by (subnet) (${where(subnetUptime.metrics.average, OF_NODE)})`, {
            unit: PercentUnit,
            width: 90,
          }),
          column("Rewarding", `min by (subnet) (${where(subnetUptime.metrics.rewarding, OF_NODE)})`, {
            unit: PercentUnit,
            width: 90,
          }),
        ],
      },
    ),
    table(
      "Blockchains",
      "Blockchains of the chosen subnets with the names given by their creators, and the number of blockchains in the network.",
      {
        width: 14,
        height: 5,
        labels: usual("network", "subnet", "chain"),
        more: {
          expr: of(subnetChains.metrics.chain),
          labels: { name: { title: "Name", width: 90 }, vm_id: { title: "VM", short: true } },
        },
        columns: [
          column(
            "Network total",
            `${of(subnetChains.metrics.chain)} * on (instance, job, network) group_left () ${where(subnetChains.metrics.total, NETWORK)}`,
            { width: 115 },
          ),
        ],
      },
    ),
  ],
};
