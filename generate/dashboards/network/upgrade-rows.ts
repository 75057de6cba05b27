import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { nodeNetwork } from "../../../src/topics/node/node-network.ts";
import { OUTDATED_RATIO, outdated } from "../../../src/topics/node/outdated.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { UPGRADE_DUE, UPGRADE_IMMINENT, upgradeReadiness } from "../../../src/topics/network/upgrade-readiness.ts";
import { validators } from "../../../src/topics/validators/validators.ts";
import { type Mappings, redAbove, redOrangeBelow, SPAN } from "../parts/format.ts";
import { type Row, bars, stat, lines } from "../parts/panels.ts";
import { spans, column, dates, table, usual, shares } from "../parts/table.ts";
import { VIEW as OF_NODES, shortVersions, ofNetwork, ofView, NETWORK } from "../parts/selectors.ts";
import { acps, upgrades } from "../../../src/topics/network/upgrades.ts";

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
const DATES = `label_replace(${ofNetwork(ready.stake)}, "upgrade_time", "$1", "upgrade_time", "(.{10})T.*")`;

export const upgradeRow: Row = {
  title: "Upgrades",
  legend: "{{network}}",
  panels: [
    stat(
      "Next upgrade in",
      "How much time is left until the next upgrade of the network? The nodes that are not ready for it are counted beside it.",
      `${ofNetwork(ready.time)} - time() > 0`,
      { height: 5, unit: SPAN, noValue: "none scheduled", alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady"] },
    ),
    stat(
      "Ready stake",
      "Will enough stake take part in the upgrade? Share of all stake behind the most announced upgrade time.",
      ofNetwork(ready.readyStake),
      { height: 5, unit: PercentUnit, decimals: 1 },
    ),
    stat(
      "Nodes not ready",
      "How many own nodes need another release? Chosen nodes whose upgrade time differs from the network's, in either direction, whatever their health check reports.",
      `sum by (network) (${ofView(ready.ready)} == bool 0)`,
      {
        height: 5,
        thresholds: redAbove(1),
        alerts: ["AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind", "AvaxNetworkStakeNotUpgraded"],
      },
    ),
    bars(
      "Stake by version (AVAX)",
      "Which releases does the stake run? Own and delegated stake in AVAX, by the version that validators advertise to the network's reference node.",
      [
        `sort_desc(${shortVersions(`max by (network, version) (${ofNetwork(validators.metrics.versions)})`)})`,
        "{{version}}",
      ],
      { height: 5, decimals: 1 },
    ),
    bars(
      "Stake by upgrade time",
      "Which upgrade times does the stake announce? Share of each network's stake by announced upgrade time. Unscheduled: announces no date. Unknown: announces nothing.",
      [DATES, "{{upgrade_time}}"],
      { height: 5, unit: PercentUnit, decimals: 1, max: 1 },
    ),
    table(
      "Upgrade readiness by node",
      "Which own node is not ready, and why? Each node's upgrade time compared with the network's, the time of a fork, the stake on a newer release, and the upgrade times and stake from the node's own check.",
      {
        height: 10,
        alerts: ["AvaxNodeUpgradeDue", "AvaxNodeUpgradeNotReady", "AvaxNodeLeftBehind", "AvaxNodeOutdated"],
        labels: usual("node"),
        more: {
          expr: shortVersions(ofView(identity.metrics.node)),
          labels: { version: { title: "Version", width: 90 } },
        },
        sortedBy: "-Upgrade state",
        columns: [
          column("Upgrade state", states, { mappings: STANDING, width: 140 }),
          spans("Forks off in", `${ofView(ready.parting)} - time() < Inf`, {
            thresholds: redOrangeBelow(UPGRADE_IMMINENT, UPGRADE_DUE),
            width: 130,
          }),
          dates("Own upgrade", ofView(nodeNetwork.metrics.localUpgrade)),
          dates("Network upgrade", ofView(nodeNetwork.metrics.modeUpgrade)),
          shares("Newer release", ofView(outdated.metrics.newer), {
            width: 110,
            decimals: 0,
            thresholds: redAbove(OUTDATED_RATIO),
          }),
          shares("Stake share", ofView(nodeNetwork.metrics.modeRatio), { width: 100, decimals: 0 }),
        ],
      },
    ),
  ],
};

export const historyRow: Row = {
  title: "Upgrade history and proposals",
  collapsed: true,
  panels: [
    stat(
      "Upgrade missing here",
      "Which upgrade do own nodes lack, and which release has it? Name of the upgrade that a chosen network has and a polled node lacks, and the first release of peers that announces it.",
      [ofNetwork(ready.info), "{{upgrade}} {{release}}"],
      { height: 9, names: true, noValue: "none" },
    ),
    lines(
      "Ready stake over time",
      "How fast does the stake become ready? Share of all stake behind the most announced upgrade time.",
      [ofNetwork(ready.readyStake), "{{network}}"],
      { height: 9, unit: PercentUnit },
    ),
    table(
      "Community proposals (AVAX)",
      "Which proposals does the stake support? Stake in AVAX by its stance on each community proposal.",
      {
        height: 9,
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
      "Network upgrades",
      "When did or will each upgrade activate? As reported by the network's reference node. Unscheduled upgrades are left out.",
      {
        height: 9,
        labels: { ...usual("network"), upgrade: { title: "Upgrade" } },
        sortedBy: "-Activates",
        columns: [dates("Activates", ofNetwork(upgrades.metrics.activation), { width: 170 })],
      },
    ),
  ],
};
