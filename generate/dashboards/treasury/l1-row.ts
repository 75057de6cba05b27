import { Seconds } from "@grafana/grafana-foundation-sdk/units";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { withSubnetNames, NETWORK, select, top } from "../parts/selectors.ts";
import { type Row, lines } from "../parts/panels.ts";
import { RUN_OUT } from "../parts/rewards.ts";
import { redAbove, redOrangeBelow } from "../parts/format.ts";
import { TO_L1, column, table, usual } from "../parts/table.ts";

const of = select(NETWORK);
const MONTH = 30 * 86_400;
const { metrics: member } = l1Validator;
const active = `min by (network, subnet, validation_id) (${of(member.active)})`;
const price = `on (network) group_left () max by (network) (${of(l1Runway.metrics.price)})`;
const balance = `sum by (network, subnet) (max by (network, subnet, validation_id) (${of(member.balance)}))`;

export const l1Row: Row = {
  title: "L1 balances",
  panels: [
    table(
      "L1s",
      "Balances of the validators of each configured L1, the fee of its active validators for 30 days at the current price, the shortest runway, and the validators whose balance ran out.",
      {
        height: 7,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
        labels: {
          network: { title: "Network", width: 80 },
          subnet: { title: "L1 ID", link: TO_L1, short: true, width: 85 },
        },
        more: { expr: withSubnetNames(balance), labels: usual("name") },
        sortedBy: "Runway",
        columns: [
          column("Balance (AVAX)", balance, { decimals: 2, width: 120 }),
          column("Monthly (AVAX)", `${MONTH} * sum by (network, subnet) (${active}) * ${price}`, {
            decimals: 2,
            width: 120,
          }),
          column("Runway", `min by (network, subnet) (${of(l1Runway.metrics.runway)})`, {
            unit: Seconds,
            decimals: 1,
            mappings: RUN_OUT,
            thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
            width: 125,
          }),
          column("Run out", `sum by (network, subnet) (${active} == bool 0)`, { thresholds: redAbove(1), width: 75 }),
        ],
      },
    ),
    lines(
      "L1 balances (AVAX)",
      "Balances of the validators of each configured L1 together. The L1s with the least.",
      [withSubnetNames(top(balance, { of: "lowest", by: "network, subnet" })), "{{network}} {{name}}"],
      { height: 7, alerts: ["AvaxL1RunwayShort"] },
    ),
  ],
};
