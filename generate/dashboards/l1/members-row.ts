import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { l1ValidatorView } from "../../../src/topics/l1/l1-validator-view.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO, redBelow, redOrangeBelow } from "../parts/format.ts";
import type { Row } from "../parts/panels.ts";
import { RUN_OUT } from "../parts/rewards.ts";
import { TO_VALIDATOR, column, dates, table } from "../parts/table.ts";
import { median, NODE, SUBNET, withNames, select } from "../parts/selectors.ts";

const of = select(SUBNET);
const { metrics: member } = l1Validator;
const VIEW = { ...NODE, ...SUBNET } as const;

const LINE = "subnet, node_id, validation_id";
/** Restricts a chain's own list to L1 validators: it has validators of permissioned subnets too. */
const OF_L1 = `and on (subnet, validation_id) ${of(member.active)}`;
const ofL1WithNames = withNames(of(member.active));

export const membersRow: Row = {
  title: "L1 validators",
  panels: [
    table(
      "L1 validators",
      "One row per validation, shortest runway first. A node can have several. Uptime and connection: only watched validators, from the polled nodes (median uptime, connected share).",
      {
        height: 12,
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
        labels: {
          subnet: { title: "L1 ID", width: 90, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
          validation_id: { title: "Validation", width: 95, short: true },
        },
        more: { expr: ofL1WithNames, labels: { name: { title: "Name", short: true } } },
        sortedBy: "Runway",
        columns: [
          column("Active", of(member.active), { width: 70, mappings: YES_NO }),
          column("Weight", of(member.weight), { width: 75 }),
          column("Balance (AVAX)", of(member.balance), { width: 125, decimals: 4 }),
          column("Runway", of(l1Runway.metrics.runway), {
            width: 105,
            unit: Seconds,
            decimals: 1,
            mappings: RUN_OUT,
            thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
          }),
          column("Uptime", `${median(where(l1ValidatorView.metrics.uptime, VIEW), LINE)} ${OF_L1}`, {
            width: 85,
            unit: PercentUnit,
            decimals: 2,
          }),
          column("Connected", `avg by (${LINE}) (${where(l1ValidatorView.metrics.connected, VIEW)}) ${OF_L1}`, {
            width: 100,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(1),
          }),
          column("On-chain", `min by (${LINE}) (${where(l1ValidatorView.metrics.active, VIEW)}) ${OF_L1}`, {
            width: 90,
            mappings: YES_NO,
          }),
          dates("Start", of(member.start)),
          column("Min nonce", of(member.minNonce), { width: 95 }),
        ],
      },
    ),
  ],
};
