import { DatetimeISO, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { l1ValidatorView } from "../../../topics/l1/l1-validator-view.ts";
import { l1Validator } from "../../../topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../topics/l1/l1-runway.ts";
import { peers } from "../../../topics/node/peers.ts";
import { where } from "../../../catalogue/selector.ts";
import { subnetChains } from "../../../topics/network/subnet-chains.ts";
import { subnetUptime } from "../../../topics/validators/uptime.ts";
import { validator } from "../../../topics/validators/validator.ts";
import { validators } from "../../../topics/validators/validators.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { bars, lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { median, NETWORK, NODE, SUBNET } from "../parts/selectors.ts";

const DAY = 86_400;
const { metrics: member } = l1Validator;
const VIEW = { ...NODE, ...SUBNET } as const;
const OF_NODE = { ...NODE, subnet: "=~$subnet" } as const;

const LINE = "subnet, node_id, validation_id";
/** Restricts a chain's own list to L1 validators: it has validators of permissioned subnets too. */
const OF_L1 = `and on (subnet, validation_id) ${where(member.active, SUBNET)}`;

export const membersRow = {
  id: 200,
  title: "Validators",
  panels: [
    table(
      {
        id: 201,
        title: "L1 validators",
        about:
          "One row per validation, shortest runway first. A node can have several. Uptime and connection: only watched validators, from the polled nodes (median uptime, connected share).",
        width: 24,
        height: 12,
        unit: Short,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      {
        labels: {
          subnet: { title: "L1", width: 90, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR },
          validation_id: { title: "Validation", width: 95, short: true },
        },
        sortedBy: "Runway",
        columns: [
          { title: "Active", expr: where(member.active, SUBNET), mappings: YES_NO, width: 75 },
          { title: "Weight", expr: where(member.weight, SUBNET), width: 80 },
          { title: "Balance (AVAX)", expr: where(member.balance, SUBNET), decimals: 4, width: 130 },
          {
            title: "Runway",
            expr: where(l1Runway.metrics.runway, SUBNET),
            unit: Seconds,
            decimals: 1,
            thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
            width: 105,
          },
          {
            title: "Uptime",
            expr: `${median(where(l1ValidatorView.metrics.uptime, VIEW), LINE)} ${OF_L1}`,
            unit: PercentUnit,
            decimals: 2,
            width: 90,
          },
          {
            title: "Connected",
            expr: `avg by (${LINE}) (${where(l1ValidatorView.metrics.connected, VIEW)}) ${OF_L1}`,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(1),
            width: 105,
          },
          {
            title: "On-chain",
            expr: `min by (${LINE}) (${where(l1ValidatorView.metrics.active, VIEW)}) ${OF_L1}`,
            mappings: YES_NO,
            width: 105,
          },
          { title: "Start", expr: `1000 * ${where(member.start, SUBNET)}`, unit: DatetimeISO, width: 165 },
          { title: "Min nonce", expr: where(member.minNonce, SUBNET), width: 100 },
        ],
      },
    ),
    bars(
      {
        id: 202,
        title: "Shortest runways (days)",
        about: "The twelve validations of the chosen L1s whose balance runs out first at the current price.",
        width: 8,
        unit: Short,
        decimals: 1,
        thresholds: redOrangeBelow(LAST_RUNWAY / DAY, SHORT_RUNWAY / DAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[`sort(bottomk(12, ${where(l1Runway.metrics.runway, SUBNET)})) / ${DAY}`, "{{node_id}} {{validation_id}}"]],
    ),
    lines(
      {
        id: 203,
        title: "Peers tracking the subnet",
        about:
          "Peers that track the subnet, on the nodes with the fewest and the most. Only these peers can serve its blocks.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      [
        [`min by (subnet) (${where(peers.metrics.tracking, OF_NODE)})`, "{{subnet}} fewest"],
        [`max by (subnet) (${where(peers.metrics.tracking, OF_NODE)})`, "{{subnet}} most"],
      ],
    ),
    table(
      {
        id: 204,
        title: "Other subnet validators",
        about:
          "Watched validators of permissioned and elastic subnets, with their weight and remaining period. First to end first.",
        width: 8,
        unit: Short,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
      },
      {
        labels: {
          subnet: { title: "Subnet", width: 100, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true },
        },
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
        labels: { subnet: { title: "Subnet" } },
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
          labels: { name: { title: "Name", width: 90 }, vm_id: { title: "VM" } },
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
