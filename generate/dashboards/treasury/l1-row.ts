import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { RUN_OUT } from "../parts/rewards.ts";
import { redAbove, redOrangeBelow } from "../parts/thresholds.ts";
import { TO_L1 } from "../parts/links.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

const MONTH = 30 * 86_400;
const { metrics: member } = l1Validator;
const active = `min by (network, subnet, validation_id) (${where(member.active, NETWORK)})`;
const price = `on (network) group_left () max by (network) (${where(l1Runway.metrics.price, NETWORK)})`;
const balance = `sum by (network, subnet) (max by (network, subnet, validation_id) (${where(member.balance, NETWORK)}))`;

export const l1Row: Row = {
  id: 300,
  title: "L1 balances",
  panels: [
    table(
      {
        id: 301,
        title: "L1s",
        about:
          "Balances of the validators of each configured L1, the fee of its active validators for 30 days at the current price, the shortest runway, and the validators whose balance ran out.",
        width: 12,
        height: 7,
        unit: Short,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      {
        labels: {
          network: { title: "Network", width: 80 },
          subnet: { title: "L1 ID", link: TO_L1, short: true, width: 85 },
        },
        more: { expr: withSubnetNames(balance), labels: { name: { title: "Name" } } },
        sortedBy: "Runway",
        columns: [
          { title: "Balance (AVAX)", expr: balance, decimals: 2, width: 120 },
          {
            title: "Monthly (AVAX)",
            expr: `${MONTH} * sum by (network, subnet) (${active}) * ${price}`,
            decimals: 2,
            width: 120,
          },
          {
            title: "Runway",
            expr: `min by (network, subnet) (${where(l1Runway.metrics.runway, NETWORK)})`,
            unit: Seconds,
            decimals: 1,
            mappings: RUN_OUT,
            thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
            width: 125,
          },
          {
            title: "Run out",
            expr: `sum by (network, subnet) (${active} == bool 0)`,
            thresholds: redAbove(1),
            width: 75,
          },
        ],
      },
    ),
    lines(
      {
        id: 302,
        title: "L1 balances (AVAX)",
        about: "Balances of the validators of each configured L1 together. The L1s with the least.",
        width: 12,
        height: 7,
        unit: Short,
        alerts: ["AvaxL1RunwayShort"],
      },
      [[withSubnetNames(top(balance, { of: "lowest", by: "network, subnet" })), "{{network}} {{name}}"]],
    ),
  ],
};
