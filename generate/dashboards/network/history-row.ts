import { DatetimeISO, PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { evmForks } from "../../../src/topics/evm/evm-identity.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { acps, upgrades } from "../../../src/topics/network/upgrades.ts";
import type { Row } from "../parts/panel-options.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK, NETWORK_CHAIN } from "../parts/selectors.ts";

const { metrics: ready } = upgradeReadiness;

export const historyRow: Row = {
  id: 220,
  title: "Upgrade history and proposals",
  collapsed: true,
  panels: [
    lines(
      {
        id: 207,
        title: "Ready stake over time",
        about: "Share of all stake behind the most announced upgrade time, over time.",
        width: 12,
        height: 9,
        unit: PercentUnit,
      },
      [[where(ready.readyStake, NETWORK), "{{network}}"]],
    ),
    table(
      {
        id: 210,
        title: "Community proposals (AVAX)",
        about: "Stake in AVAX by its stance on each community proposal.",
        width: 12,
        height: 9,
        unit: Short,
      },
      {
        labels: { network: { title: "Network" }, acp: { title: "ACP", width: 70 } },
        sortedBy: "-ACP",
        columns: (["support", "object", "abstain"] as const).map((stance) => ({
          title: { support: "For", object: "Against", abstain: "Abstain" }[stance],
          expr: where(acps.metrics.stake, { ...NETWORK, stance }),
          decimals: 1,
          width: 95,
        })),
      },
    ),
    table(
      {
        id: 208,
        title: "Network upgrades",
        about:
          "Activation time of each upgrade, past or future, as reported by the network's reference node. Unscheduled upgrades are left out.",
        width: 12,
        height: 9,
        unit: Short,
      },
      {
        labels: { network: { title: "Network", width: 90 }, upgrade: { title: "Upgrade" } },
        sortedBy: "-Activates",
        columns: [
          {
            title: "Activates",
            expr: `1000 * ${where(upgrades.metrics.activation, NETWORK)}`,
            unit: DatetimeISO,
            width: 170,
          },
        ],
      },
    ),
    table(
      {
        id: 209,
        title: "EVM forks",
        about:
          "Activation time of each fork of an EVM chain, past or future, as reported by the network's reference node.",
        width: 12,
        height: 9,
        unit: Short,
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          chain: { title: "Chain", width: 80 },
          fork: { title: "Fork" },
        },
        sortedBy: "-Activates",
        columns: [
          {
            title: "Activates",
            expr: `1000 * ${where(evmForks.metrics.forks, NETWORK_CHAIN)}`,
            unit: DatetimeISO,
            mappings: { 0: ["since genesis", "text"] },
            width: 170,
          },
        ],
      },
    ),
  ],
};
