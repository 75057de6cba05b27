import { DatetimeISO, DurationSeconds, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { nodeNetwork } from "../../../src/topics/node/network.ts";
import { OUTDATED_RATIO, outdated } from "../../../src/topics/node/outdated.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { UPGRADE_DUE, UPGRADE_IMMINENT } from "../../../src/topics/network/upgrade-readiness-alerts.ts";
import { upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import type { Mappings } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove, redOrangeBelow } from "../parts/thresholds.ts";
import { TO_NODE } from "../parts/links.ts";
import { bars, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK, VIEW as OF_NODES, shortVersions } from "../parts/selectors.ts";

const { metrics: ready } = upgradeReadiness;
const standing = (state: string) => where(ready.standing, { ...OF_NODES, state });
const STANDING: Mappings = {
  1: ["ready", "green"],
  2: ["not scheduled", "red"],
  3: ["this node only", "orange"],
  4: ["different time", "red"],
};
const states = ["in_line", "unknown_here", "only_here", "another_time"]
  .map((state, index) => `${index + 1} * (${standing(state)} == 1)`)
  .join(" or ");

/** Upgrade times shortened to the day, for the names of bars. */
const DATES = `label_replace(${where(ready.stake, NETWORK)}, "upgrade_time", "$1", "upgrade_time", "(.{10})T.*")`;

export const upgradeRow: Row = {
  id: 200,
  title: "Upgrades",
  panels: [
    stat(
      {
        id: 201,
        title: "Next upgrade in",
        about: "Time until the upgrade that most stake announces.",
        width: 4,
        height: 5,
        unit: Seconds,
        decimals: 1,
        noValue: "none scheduled",
        thresholds: redOrangeBelow(UPGRADE_IMMINENT, UPGRADE_DUE),
        alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady"],
      },
      [[`${where(ready.time, NETWORK)} - time() > 0`, "{{network}}"]],
    ),
    stat(
      {
        id: 202,
        title: "Ready stake",
        about: "Share of all stake behind the most announced upgrade time.",
        width: 4,
        height: 5,
        unit: PercentUnit,
        decimals: 1,
      },
      [[where(ready.readyStake, NETWORK), "{{network}}"]],
    ),
    stat(
      {
        id: 203,
        title: "Nodes not ready",
        about:
          "Chosen nodes whose upgrade time differs from the network's, in either direction, whatever their health check reports.",
        width: 4,
        height: 5,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind", "AvaxNetworkStakeNotUpgraded"],
      },
      [[`sum by (network) (${where(ready.ready, OF_NODES)} == bool 0)`, "{{network}}"]],
    ),
    bars(
      {
        id: 204,
        title: "Stake by version (AVAX)",
        about:
          "Own and delegated stake in AVAX, by the version that validators advertise to the network's reference node.",
        width: 5,
        height: 5,
        unit: Short,
        decimals: 1,
      },
      [
        [
          `sort_desc(${shortVersions(`max by (network, version) (${where(validators.metrics.versions, NETWORK)})`)})`,
          "{{network}} {{version}}",
        ],
      ],
    ),
    bars(
      {
        id: 205,
        title: "Stake by upgrade time",
        about:
          "Share of each network's stake by announced upgrade time. Unscheduled: announces no date. Unknown: announces nothing.",
        width: 7,
        height: 5,
        unit: PercentUnit,
        decimals: 1,
      },
      [[DATES, "{{network}} {{upgrade_time}}"]],
      1,
    ),
    table(
      {
        id: 206,
        title: "Upgrade readiness by node",
        about:
          "Each node's upgrade time compared with the one that most stake announces, the time of a fork, the stake on a newer release, and the upgrade times and stake from the node's own check.",
        width: 24,
        height: 10,
        unit: Short,
        alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind", "AvaxNodeOutdated"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        more: {
          expr: shortVersions(where(identity.metrics.node, OF_NODES)),
          labels: { version: { title: "Version", width: 90 } },
        },
        sortedBy: "-Upgrade state",
        columns: [
          { title: "Upgrade state", expr: states, mappings: STANDING, width: 140 },
          {
            title: "Forks off in",
            expr: `${where(ready.parting, OF_NODES)} - time()`,
            unit: DurationSeconds,
            decimals: 0,
            thresholds: redOrangeBelow(UPGRADE_IMMINENT, UPGRADE_DUE),
            width: 130,
          },
          {
            title: "Own upgrade",
            expr: `1000 * ${where(nodeNetwork.metrics.localUpgrade, OF_NODES)}`,
            unit: DatetimeISO,
            width: 165,
          },
          {
            title: "Network upgrade",
            expr: `1000 * ${where(nodeNetwork.metrics.modeUpgrade, OF_NODES)}`,
            unit: DatetimeISO,
            width: 165,
          },
          {
            title: "Newer release",
            width: 110,
            expr: where(outdated.metrics.newer, OF_NODES),
            unit: PercentUnit,
            decimals: 0,
            thresholds: redAbove(OUTDATED_RATIO),
          },
          {
            title: "Stake share",
            width: 100,
            expr: where(nodeNetwork.metrics.modeRatio, OF_NODES),
            unit: PercentUnit,
            decimals: 0,
          },
        ],
      },
    ),
  ],
};
