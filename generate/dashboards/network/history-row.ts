import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { evmForks } from "../../../src/topics/evm/evm-identity.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { acps, upgrades } from "../../../src/topics/network/upgrades.ts";
import { type Row, lines } from "../parts/panels.ts";
import { dates, table } from "../parts/table.ts";
import { NETWORK, NETWORK_CHAIN, select } from "../parts/selectors.ts";

const of = select(NETWORK);
const { metrics: ready } = upgradeReadiness;

export const historyRow: Row = {
  title: "Upgrade history and proposals",
  collapsed: true,
  panels: [
    lines(
      "Ready stake over time",
      "Share of all stake behind the most announced upgrade time, over time.",
      [of(ready.readyStake), "{{network}}"],
      { height: 9, unit: PercentUnit },
    ),
    table("Community proposals (AVAX)", "Stake in AVAX by its stance on each community proposal.", {
      height: 9,
      labels: { network: { title: "Network" }, acp: { title: "ACP", width: 70 } },
      sortedBy: "-ACP",
      columns: (["support", "object", "abstain"] as const).map((stance) => ({
        title: { support: "For", object: "Against", abstain: "Abstain" }[stance],
        expr: where(acps.metrics.stake, { ...NETWORK, stance }),
        decimals: 1,
        width: 95,
      })),
    }),
    table(
      "Network upgrades",
      "Activation time of each upgrade, past or future, as reported by the network's reference node. Unscheduled upgrades are left out.",
      {
        height: 9,
        labels: { network: { title: "Network", width: 90 }, upgrade: { title: "Upgrade" } },
        sortedBy: "-Activates",
        columns: [dates("Activates", of(upgrades.metrics.activation), { width: 170 })],
      },
    ),
    table(
      "EVM forks",
      "Activation time of each fork of an EVM chain, past or future, as reported by the network's reference node.",
      {
        height: 9,
        labels: {
          network: { title: "Network", width: 90 },
          chain: { title: "Chain", width: 80 },
          fork: { title: "Fork" },
        },
        sortedBy: "-Activates",
        columns: [
          dates("Activates", where(evmForks.metrics.forks, NETWORK_CHAIN), {
            mappings: { 0: ["since genesis", "text"] },
            width: 170,
          }),
        ],
      },
    ),
  ],
};
