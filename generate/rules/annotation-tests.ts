import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERTS, runbookUrl } from "../../src/topics/all/alerts.ts";
import { briefly } from "./rules.ts";
import { isImmediate } from "../../src/topics/all/runbook-text.ts";

/** Labels of a scrape in these tests. */
const SCRAPE = { instance: "e:9750", job: "avax" } as const;
const SCRAPED = 'instance="e:9750",job="avax"';

type Labels = Readonly<Record<string, string>>;
/** An alert that fires. */
type Fired = readonly [labels: Labels, summary: string, description?: string];

/** A test of promtool, which compares all labels and texts of the alerts that fire at a time with these series. */
function rendered(alert: Alert["name"], does: string, at: string, series: Labels, ...fires: readonly Fired[]) {
  const { action = "", over, for: waited = "0m" } = ALERTS.find((each) => each.name === alert) ?? {};
  return {
    name: `${alert} ${does}`,
    input_series: Object.entries(series).map(([labelled, values]) => ({ series: labelled, values })),
    alert_rule_test: [
      {
        alertname: alert,
        eval_time: at,
        exp_alerts: fires.map(([labels, summary, description]) => ({
          exp_labels: labels,
          exp_annotations: {
            ...{ summary, action: briefly(action), runbook_url: runbookUrl(alert) },
            ...(description === undefined ? {} : { description }),
            ...(over === undefined ? {} : { over: withLabels(over, labels) }),
            ...(isImmediate(waited) ? {} : { waited }),
          },
        })),
      },
    ],
  };
}

/** A template that uses labels alone, with their values. */
function withLabels(template: string, labels: Labels): string {
  return template.replaceAll(
    /\{\{ (?:or )?\$labels\.(\w+)(?: \$labels\.(\w+))? \}\}/g,
    (_all, first: string, second?: string) => labels[first] ?? labels[second ?? ""] ?? "",
  );
}

/** Of an alert that two exporters of the node share. */
const ofShared = (node: string) => ({ severity: "warning", node, job: SCRAPE.job });

/** Promtool tests of rendered alert texts, because templates can only be checked when Prometheus renders them. */
export const ANNOTATION_TESTS = [
  rendered(
    "AvaxNodeUnhealthy",
    "is one alert for each failing check",
    "12m",
    { ...checks("a", { router: "0x20", network: "0x20", bls: "1x20", diskspace: "1x20" }), ...configured("a") },
    [{ ...ofShared("a"), check: "network" }, "a: health check network fails"],
    [{ ...ofShared("a"), check: "router" }, "a: health check router fails"],
  ),

  rendered("AvaxNodeLagging", "says for how long", "21m", { [of("avax_node_behind_seconds", "a")]: "0+60x30" }, [
    { severity: "critical", node: "a", job: SCRAPE.job },
    "a is 21m 0s behind its network",
    "The status page names the chain.",
  ]),
  rendered(
    "AvaxChainForked",
    "names the block",
    "3m",
    { [`avax_chain_fork_height{network="n",chain="C",${SCRAPED}}`]: "7000000x9" },
    [
      { severity: "critical", network: "n", chain: "C", job: SCRAPE.job },
      "n: C has forked at block 7000000: one side is lost",
      "Accepted blocks differ. `avax_chain_fork_stake_ratio` has the sides; the smaller is likely wrong.",
    ],
  ),
  rendered(
    "AvaxNodeUpgradeNotReady",
    "counts down, and after the activation it does not",
    "10m",
    {
      [of("avax_node_upgrade_mismatch_timestamp_seconds", "a", 'network="n"')]: "7800x20",
      [of("avax_node_upgrade_mismatch_timestamp_seconds", "b", 'network="n"')]: "60x20",
    },
    ...(["a forks off in 2h 0m 0s", "b forks off now"] as const).map((what): Fired => [
      { ...ofShared(what.slice(0, 1)), severity: "critical", network: "n" },
      `${what}: upgrade not ready`,
      "It and the network disagree on the upgrade. Its health check can miss this.",
    ]),
  ),
  rendered(
    "AvaxNodeDiskLow",
    "shows the free share",
    "7m",
    { [of("avax_node_disk_available_ratio", "a")]: "0.08x40", ...configured("a") },
    [ofShared("a"), "a has 8 % of its disk left", "Below 10 % it reports itself unhealthy, below 3 % it stops itself."],
  ),
  rendered(
    "AvaxSubnetQuorumLost",
    "names the network or the subnet, and the nodes that are down",
    "7m",
    {
      [`avax_subnet_quorum_lost{network="n",subnet="primary",down="val-1, val-2",${SCRAPED}}`]: "1x20",
      [`avax_subnet_quorum_lost{network="n",subnet="S",subnet_name="game",down="no polled node",${SCRAPED}}`]: "1x20",
    },
    [
      { severity: "critical", network: "n", subnet: "primary", down: "val-1, val-2", job: "avax" },
      "n primary has lost its quorum; down: val-1, val-2",
      "Its chains accept no blocks: by default below 75 % of the weight.",
    ],
    [
      { severity: "critical", network: "n", subnet: "S", subnet_name: "game", down: "no polled node", job: "avax" },
      "n game has lost its quorum; down: no polled node",
      "Its chains accept no blocks: by default below 75 % of the weight.",
    ],
  ),
  rendered(
    "AvaxL1RunwayCritical",
    "says when the balance has run out",
    "7m",
    {
      [`avax_l1_own_runway_seconds{network="n",subnet="S",subnet_name="game",node_id="NodeID-A",validation_id="V",name="one",node="a",${SCRAPED}}`]:
        "0x20",
    },
    [
      {
        ...{ severity: "critical", network: "n", subnet: "S", subnet_name: "game", node_id: "NodeID-A" },
        ...{ validation_id: "V", name: "one", node: "a", job: "avax" },
      },
      "one is inactive: L1 balance too low",
      "Without balance it neither votes nor signs (V of game).",
    ],
  ),
  rendered(
    "AvaxValidatorEndingSoon",
    "shows the time that is left",
    "15m",
    {
      'avax_validator_ending_timestamp_seconds{network="fuji",subnet="primary",node_id="NodeID-A"}': "87300x20",
    },
    [
      { severity: "warning", network: "fuji", subnet: "primary", node_id: "NodeID-A" },
      "NodeID-A: stake ends in 1d 0h 0m 0s",
      "It does not renew automatically (primary, fuji).",
    ],
  ),
];

/** A series of a node. */
function of(metric: string, node: string, more = ""): string {
  return `${metric}{${[`node="${node}"`, ...(more === "" ? [] : [more]), SCRAPED].join(",")}}`;
}

function checks(node: string, passing: Labels): Labels {
  return Object.fromEntries(
    Object.entries(passing).map(([name, values]) => [
      of("avax_node_health_check_passing", node, `check="${name}",subnet=""`),
      values,
    ]),
  );
}

function configured(node: string): Labels {
  return { [of("avax_node_configured", node, `node_id="NodeID-${node}"`)]: "1x100" };
}
