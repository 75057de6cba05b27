import type { Alert } from "../src/topics/define/alert.ts";
import { ALERTS, runbookUrl } from "../src/topics/all/alerts.ts";

/** Labels of a scrape in these tests. */
const SCRAPE = { instance: "e:9750", job: "avax" } as const;
const SCRAPED = 'instance="e:9750",job="avax"';

type Text = {
  readonly name: string;
  readonly series: Readonly<Record<string, string>>;
  readonly alert: Alert["name"];
  readonly at: string;
  readonly fires: ReadonlyArray<{
    readonly labels: Readonly<Record<string, string>>;
    readonly summary: string;
    readonly description: string;
  }>;
};

/** A test of promtool, which compares all labels and texts of the alert. */
function rendered({ name, series, alert, at, fires }: Text) {
  const action = ALERTS.find((each) => each.name === alert)?.action;
  return {
    name,
    input_series: Object.entries(series).map(([labelled, values]) => ({ series: labelled, values })),
    alert_rule_test: [
      {
        alertname: alert,
        eval_time: at,
        exp_alerts: fires.map(({ labels, summary, description }) => ({
          exp_labels: labels,
          exp_annotations: { summary, description, action, runbook_url: runbookUrl(alert) },
        })),
      },
    ],
  };
}

const ofNode = (node: string) => ({ severity: "warning", node, ...SCRAPE });

/** Promtool tests of rendered alert texts, because templates can only be checked when Prometheus renders them. */
export const ANNOTATION_TESTS = [
  rendered({
    name: "AvaxNodeUnhealthy names the failing checks",
    series: {
      [`avax_node_healthy{node="a",${SCRAPED}}`]: "0x20",
      [check("a", "router")]: "0x20",
      [check("a", "network")]: "0x20",
      [check("a", "bls")]: "1x20",
      ...configured("a"),
    },
    alert: "AvaxNodeUnhealthy",
    at: "12m",
    fires: [
      {
        labels: ofNode("a"),
        summary: "a reports itself unhealthy: network, router",
        description: "Checks of the node, or of its P-, X- or C-Chain, fail.",
      },
    ],
  }),
  rendered({
    name: "AvaxNodeUnhealthy names three of its checks, and without a failing check none",
    series: {
      [`avax_node_healthy{node="a",${SCRAPED}}`]: "0x20",
      ...Object.fromEntries(
        ["router", "network", "bls", "C", "P", "diskspace"].map((name) => [check("a", name), "0x20"]),
      ),
      [`avax_node_healthy{node="b",${SCRAPED}}`]: "0x20",
      [check("b", "bls")]: "1x20",
      ...configured("a"),
      ...configured("b"),
    },
    alert: "AvaxNodeUnhealthy",
    at: "12m",
    fires: [
      {
        labels: ofNode("a"),
        summary: "a reports itself unhealthy: C, P, bls, …",
        description: "Checks of the node, or of its P-, X- or C-Chain, fail.",
      },
      {
        labels: ofNode("b"),
        summary: "b reports itself unhealthy",
        description: "Checks of the node, or of its P-, X- or C-Chain, fail.",
      },
    ],
  }),
  rendered({
    name: "AvaxNodeDown names what is down: the node, its network, or maybe the exporter",
    series: {
      [`avax_node_up{node="a",network="n",${SCRAPED}}`]: "0x20",
      [`avax_node_up{node="b",network="n",${SCRAPED}}`]: "1x20",
      [`avax_node_up{node="c",network="m",${SCRAPED}}`]: "0x20",
      'avax_node_up{node="d",network="k",instance="f",job="avax"}': "0x20",
    },
    alert: "AvaxNodeDown",
    at: "12m",
    fires: (
      [
        ["a", "n", SCRAPE.instance, "others are up, its uptime falls"],
        ["c", "m", SCRAPE.instance, "so are all nodes of m"],
        ["d", "k", "f", "no node answers the exporter"],
      ] as const
    ).map(([node, network, instance, title]) => ({
      labels: { severity: "critical", node, network, instance, job: "avax" },
      summary: `${node} is down: ${title}`,
      description: `For 10 minutes ${node} has not answered, and no polled node has been connected to its validator. The status page shows the last error.`,
    })),
  }),
  rendered({
    name: "AvaxNodeCrashLoop shows for how long the node was down",
    series: { [`avax_node_up{node="a",${SCRAPED}}`]: "1 1 0 1 1 1 0 1 1 1 0 1 1", ...configured("a") },
    alert: "AvaxNodeCrashLoop",
    at: "12m",
    fires: [
      {
        labels: ofNode("a"),
        summary: "a went down 3 times in an hour, for 3m 0s",
        description: "The node stopped answering and came back 3 times within the last hour.",
      },
    ],
  }),
  rendered({
    name: "AvaxNodeLagging names the chains, which are unknown once the node is silent",
    series: {
      [`avax_chain_behind_since_timestamp_seconds{node="a",chain="C",${SCRAPED}}`]: "0x30",
      [`avax_chain_behind_since_timestamp_seconds{node="b",chain="C",${SCRAPED}}`]: "0x14 stale",
      [`avax_chain_lag_blocks{node="b",chain="C",${SCRAPED}}`]: "9x14 stale",
      [`avax_node_up{node="b",${SCRAPED}}`]: "1x14 0x9",
      ...configured("a"),
      ...configured("b"),
    },
    alert: "AvaxNodeLagging",
    at: "21m",
    fires: [
      ["a", "C"],
      ["b", "unknown"],
    ].map(([node, chains]) => ({
      labels: { severity: "critical", node: `${node}`, ...SCRAPE },
      summary: `${node} is 21m 0s behind its network`,
      description: `Behind on: ${chains}.`,
    })),
  }),
  rendered({
    name: "AvaxChainForked names the sides with their stake",
    series: Object.fromEntries(
      [
        ["a", "0"],
        ["b, c", "0.4"],
      ].flatMap(([nodes, stake]) => [
        [`avax_chain_fork_height{network="n",chain="C",nodes="${nodes}",${SCRAPED}}`, "7000000x9"],
        [`avax_chain_fork_stake_ratio{network="n",chain="C",nodes="${nodes}",${SCRAPED}}`, `${stake}x9`],
      ]),
    ),
    alert: "AvaxChainForked",
    at: "3m",
    fires: [
      {
        labels: { severity: "critical", network: "n", chain: "C", ...SCRAPE },
        summary: "n: C has forked at block 7000000: one side is lost",
        description:
          "Polled nodes have different accepted blocks. The sides, with their stake: a (0%); b, c (40%); the side with less stake is most likely wrong.",
      },
    ],
  }),
  rendered({
    name: "AvaxNodeUpgradeNotReady names the upgrade and the release that has it",
    series: {
      [`avax_node_upgrade_ready{node="a",network="n",${SCRAPED}}`]: "0x20",
      [`avax_node_upgrade_mismatch_timestamp_seconds{node="a",network="n",${SCRAPED}}`]: "7800x20",
      [`avax_network_upgrade_info{network="n",upgrade="Helicon",release="1.15.0",${SCRAPED}}`]: "1x20",
      ...configured("a"),
    },
    alert: "AvaxNodeUpgradeNotReady",
    at: "10m",
    fires: [
      {
        labels: { severity: "critical", network: "n", node: "a", ...SCRAPE },
        summary: "a will fork off in 2h 0m 0s: Helicon needs 1.15.0",
        description: "It and most of the stake disagree on the upgrade. Its health check can miss this.",
      },
    ],
  }),
  rendered({
    name: "AvaxNodeDiskLow shows the free share",
    series: { [`avax_node_disk_available_ratio{node="a",${SCRAPED}}`]: "0.08x40", ...configured("a") },
    alert: "AvaxNodeDiskLow",
    at: "7m",
    fires: [
      {
        labels: ofNode("a"),
        summary: "a has 8 % of its disk left",
        description: "Below 10 % the node reports itself unhealthy, below 3 % it stops itself.",
      },
    ],
  }),
  rendered({
    name: "AvaxSubnetQuorumLost names the subnet and the nodes that are down",
    series: {
      'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "0.705x20",
      'avax_subnet_active_weight_ratio{network="n",subnet="S"}': "0.9x20",
      'avax_subnet_connected_weight_ratio{network="n",subnet="primary"}': "0.9x20",
      'avax_subnet_quorum_requirement_ratio{network="n",subnet="S"}': "0.8x20",
      'avax_subnet_info{network="n",subnet="S",name="game"}': "1x20",
      'avax_node_up{network="n",node="b"}': "0x20",
      'avax_node_up{network="n",node="a"}': "1x20",
    },
    alert: "AvaxSubnetQuorumLost",
    at: "7m",
    fires: [
      {
        labels: { severity: "critical", network: "n", subnet: "S" },
        summary: "game accepts no blocks: only 70.5 % of the weight is connected",
        description:
          "Chains of n stop below 75 % by default. Part of the weight has no balance: top it up. Polled nodes that are down: b.",
      },
    ],
  }),
  rendered({
    name: "AvaxL1RunwayCritical says when the balance has run out",
    series: {
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "0x20",
      'avax_validator_in_set{network="n",subnet="S",node_id="NodeID-A"}': "1x20",
      'avax_validator_info{network="n",node_id="NodeID-A",name="one",node="a"}': "1x20",
    },
    alert: "AvaxL1RunwayCritical",
    at: "7m",
    fires: [
      {
        labels: {
          ...{ severity: "critical", network: "n", subnet: "S", node_id: "NodeID-A" },
          ...{ validation_id: "V", name: "one", node: "a" },
        },
        summary: "one is inactive: its L1 balance has run out",
        description: "It is the balance of validation V of S. Without balance it neither votes nor signs.",
      },
    ],
  }),
  rendered({
    name: "AvaxValidatorEndingSoon shows the time that is left",
    series: {
      'avax_validator_info{network="fuji",node_id="NodeID-A",name="",node=""}': "1x20",
      'avax_validator_stake_end_timestamp_seconds{network="fuji",subnet="primary",node_id="NodeID-A"}': "87300x20",
      'avax_validator_stake_start_timestamp_seconds{network="fuji",subnet="primary",node_id="NodeID-A"}': "-777600x20",
    },
    alert: "AvaxValidatorEndingSoon",
    at: "15m",
    fires: [
      {
        labels: { severity: "warning", network: "fuji", subnet: "primary", node_id: "NodeID-A" },
        summary: "NodeID-A: stake ends in 1d 0h 0m 0s",
        description: "The period of NodeID-A (primary, fuji) does not renew automatically.",
      },
    ],
  }),
];

function check(node: string, name: string): string {
  return `avax_node_health_check_passing{node="${node}",check="${name}",subnet="",${SCRAPED}}`;
}

function configured(node: string): Readonly<Record<string, string>> {
  return { [`avax_node_configured{node="${node}",node_id="NodeID-${node}",${SCRAPED}}`]: "1x100" };
}
