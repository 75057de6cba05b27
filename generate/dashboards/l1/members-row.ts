import { DatetimeISO, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { l1ValidatorView } from "../../../src/topics/l1/l1-validator-view.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { RUN_OUT } from "../parts/rewards.ts";
import { redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { table } from "../parts/table.ts";
import { median, NODE, SUBNET, withNames } from "../parts/selectors.ts";

const { metrics: member } = l1Validator;
const VIEW = { ...NODE, ...SUBNET } as const;

const LINE = "subnet, node_id, validation_id";
/** Restricts a chain's own list to L1 validators: it has validators of permissioned subnets too. */
const OF_L1 = `and on (subnet, validation_id) ${where(member.active, SUBNET)}`;
const ofL1WithNames = withNames(where(member.active, SUBNET));

export const membersRow: Row = {
  id: 200,
  title: "L1 validators",
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
          subnet: { title: "L1 ID", width: 90, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
          validation_id: { title: "Validation", width: 95, short: true },
        },
        more: { expr: ofL1WithNames, labels: { name: { title: "Name", short: true } } },
        sortedBy: "Runway",
        columns: [
          { title: "Active", width: 70, expr: where(member.active, SUBNET), mappings: YES_NO },
          { title: "Weight", width: 75, expr: where(member.weight, SUBNET) },
          { title: "Balance (AVAX)", width: 125, expr: where(member.balance, SUBNET), decimals: 4 },
          {
            title: "Runway",
            width: 105,
            expr: where(l1Runway.metrics.runway, SUBNET),
            unit: Seconds,
            decimals: 1,
            mappings: RUN_OUT,
            thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
          },
          {
            title: "Uptime",
            width: 85,
            expr: `${median(where(l1ValidatorView.metrics.uptime, VIEW), LINE)} ${OF_L1}`,
            unit: PercentUnit,
            decimals: 2,
          },
          {
            title: "Connected",
            width: 100,
            expr: `avg by (${LINE}) (${where(l1ValidatorView.metrics.connected, VIEW)}) ${OF_L1}`,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(1),
          },
          {
            title: "On-chain",
            width: 90,
            expr: `min by (${LINE}) (${where(l1ValidatorView.metrics.active, VIEW)}) ${OF_L1}`,
            mappings: YES_NO,
          },
          { title: "Start", expr: `1000 * ${where(member.start, SUBNET)}`, unit: DatetimeISO, width: 165 },
          { title: "Min nonce", width: 95, expr: where(member.minNonce, SUBNET) },
        ],
      },
    ),
  ],
};
