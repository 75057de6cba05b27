import { where } from "../../../src/topics/define/selector.ts";
import { delegations, within } from "../../../src/topics/validators/delegations.ts";
import { redAbove } from "../parts/format.ts";
import { type Row } from "../parts/panels.ts";
import { NODE, ofNode } from "../parts/selectors.ts";
import { column, shares, spans, table, usual } from "../parts/table.ts";
import { CHOSEN } from "./verdict-rows.ts";

const { metrics: own } = delegations;
const leaving = (days: 7 | 30 | 90) =>
  `sum without (remaining) (${where(own.ending, { ...NODE, remaining: `=~${within(days).join("|")}` })}) ${CHOSEN}`;
/** For those who are paid by their delegators: who leaves, and what is lost? */
export const delegationsRow: Row = {
  title: "Delegations to polled nodes",
  collapsed: true,
  legend: "{{node}}",
  panels: [
    table(
      "Delegations",
      "Which delegations end soon, or without a reward? Delegations to the chosen validators that are polled nodes, in AVAX: stake that leaves, rewards and commission if all are granted, stake that ends before the uptime can suffice with its lost reward. Large: at least 5 % of the weight.",
      {
        width: 24,
        alerts: ["AvaxDelegationEndingSoon", "AvaxDelegationsUnrewarded"],
        labels: usual("node"),
        // Not by the time of a large one: Grafana puts nodes without it first.
        sortedBy: "-30 d",
        columns: [
          column("Within 7 d", leaving(7), { width: 110, decimals: 0 }),
          column("30 d", leaving(30), { width: 110, decimals: 0 }),
          column("90 d", leaving(90), { width: 110, decimals: 0 }),
          spans("Large ends in", `${ofNode(own.largeEnd)} - time() ${CHOSEN}`, { width: 130 }),
          shares("Of weight", `${ofNode(own.largeShare)} ${CHOSEN}`, { width: 100, decimals: 1 }),
          column("Rewards", `${ofNode(own.reward)} ${CHOSEN}`, { width: 100, decimals: 2 }),
          column("Commission", `${ofNode(own.fee)} ${CHOSEN}`, { width: 120, decimals: 2 }),
          column("Not rewarded", `${ofNode(own.unrewarded)} ${CHOSEN}`, { width: 125, thresholds: redAbove(1) }),
          column("Reward lost", `${ofNode(own.unrewardedReward)} ${CHOSEN}`, { width: 120, decimals: 2 }),
          spans("Uptime suffices in", `${ofNode(own.recovery)} - time() ${CHOSEN}`),
        ],
      },
    ),
  ],
};
