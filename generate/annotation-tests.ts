import type { Alert } from "../src/topics/define/alert.ts";
import { ALERTS, runbookUrl } from "../src/topics/all/alerts.ts";

/** Promtool tests of rendered alert texts, because templates can only be checked when Prometheus renders them. */
export const ANNOTATION_TESTS = [
  {
    name: "AvaxNodeUnhealthy names the failing checks",
    input_series: [
      { series: 'avax_node_healthy{node="a",instance="e:9750",job="avax"}', values: "0x20" },
      { series: check("a", "router"), values: "0x20" },
      { series: check("a", "network"), values: "0x20" },
      { series: check("a", "bls"), values: "1x20" },
      { series: check("b", "router"), values: "0x20" },
      configured("a"),
    ],
    alert_rule_test: [
      {
        alertname: "AvaxNodeUnhealthy",
        eval_time: "12m",
        exp_alerts: [
          {
            exp_labels: { severity: "warning", node: "a", node_id: "NodeID-a", instance: "e:9750", job: "avax" },
            exp_annotations: {
              summary: "a reports itself unhealthy: network, router",
              description: "Checks of a or of its P-, X- or C-Chain have failed for 10 minutes: network, router.",
              action: actionOf("AvaxNodeUnhealthy"),
              runbook_url: runbookUrl("AvaxNodeUnhealthy"),
              dashboard_url: "/d/avax-node?var-network=%24__all&var-node=a",
            },
          },
        ],
      },
    ],
  },
  {
    name: "AvaxNodeUnhealthy names three of its checks, and without a failing check none",
    input_series: [
      { series: 'avax_node_healthy{node="a",instance="e:9750",job="avax"}', values: "0x20" },
      ...["router", "network", "bls", "C", "P", "diskspace"].map((name) => ({
        series: check("a", name),
        values: "0x20",
      })),
      { series: 'avax_node_healthy{node="b",instance="e:9750",job="avax"}', values: "0x20" },
      { series: check("b", "bls"), values: "1x20" },
      configured("a"),
      configured("b"),
    ],
    alert_rule_test: [
      {
        alertname: "AvaxNodeUnhealthy",
        eval_time: "12m",
        exp_alerts: [
          {
            exp_labels: { severity: "warning", node: "a", node_id: "NodeID-a", instance: "e:9750", job: "avax" },
            exp_annotations: {
              summary: "a reports itself unhealthy: C, P, bls and 2 more",
              description:
                "Checks of a or of its P-, X- or C-Chain have failed for 10 minutes: C, P, bls, diskspace, network, router.",
              action: actionOf("AvaxNodeUnhealthy"),
              runbook_url: runbookUrl("AvaxNodeUnhealthy"),
              dashboard_url: "/d/avax-node?var-network=%24__all&var-node=a",
            },
          },
          {
            exp_labels: { severity: "warning", node: "b", node_id: "NodeID-b", instance: "e:9750", job: "avax" },
            exp_annotations: {
              summary: "b reports itself unhealthy",
              description: "Checks of b or of its P-, X- or C-Chain have failed for 10 minutes.",
              action: actionOf("AvaxNodeUnhealthy"),
              runbook_url: runbookUrl("AvaxNodeUnhealthy"),
              dashboard_url: "/d/avax-node?var-network=%24__all&var-node=b",
            },
          },
        ],
      },
    ],
  },
  {
    name: "AvaxNodeDiskLow shows the free share",
    input_series: [
      { series: 'avax_node_disk_available_ratio{node="a",instance="e:9750",job="avax"}', values: "0.08x40" },
      configured("a"),
    ],
    alert_rule_test: [
      {
        alertname: "AvaxNodeDiskLow",
        eval_time: "32m",
        exp_alerts: [
          {
            exp_labels: { severity: "warning", node: "a", node_id: "NodeID-a", instance: "e:9750", job: "avax" },
            exp_annotations: {
              summary: "a has 8 % of its disk left",
              description:
                "The database's disk of a has 8 % free. Below 10 % the node reports itself unhealthy, below 3 % it stops itself.",
              action: actionOf("AvaxNodeDiskLow"),
              runbook_url: runbookUrl("AvaxNodeDiskLow"),
              dashboard_url: "/d/avax-node?var-network=%24__all&var-node=a",
            },
          },
        ],
      },
    ],
  },
  {
    name: "AvaxSubnetQuorumLost names the subnet and the nodes that are down",
    input_series: [
      { series: 'avax_subnet_connected_weight_ratio{network="n",subnet="S"}', values: "0.755x20" },
      { series: 'avax_subnet_quorum_requirement_ratio{network="n",subnet="S"}', values: "0.8x20" },
      { series: 'avax_subnet_info{network="n",subnet="S",name="game"}', values: "1x20" },
      { series: 'avax_node_up{network="n",node="b"}', values: "0x20" },
      { series: 'avax_node_up{network="n",node="a"}', values: "1x20" },
    ],
    alert_rule_test: [
      {
        alertname: "AvaxSubnetQuorumLost",
        eval_time: "7m",
        exp_alerts: [
          {
            exp_labels: { severity: "critical", network: "n", subnet: "S" },
            exp_annotations: {
              summary: "game: quorum lost, only 75.5 % of the weight is connected",
              description:
                "For 5 minutes only 75.5 % of the validators' weight of game (n) has been active and connected to the network's reference node. Its consensus needs 80 % unless its configuration says otherwise. Polled nodes that are down: b.",
              action: actionOf("AvaxSubnetQuorumLost"),
              runbook_url: runbookUrl("AvaxSubnetQuorumLost"),
              dashboard_url: "/d/avax-l1?var-network=n&var-subnet=S",
            },
          },
        ],
      },
    ],
  },
  {
    name: "AvaxL1RunwayCritical says when the balance has run out",
    input_series: [
      {
        series: 'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}',
        values: "0x20",
      },
      { series: 'avax_validator_info{network="n",node_id="NodeID-A",name="one",node="a"}', values: "1x20" },
    ],
    alert_rule_test: [
      {
        alertname: "AvaxL1RunwayCritical",
        eval_time: "7m",
        exp_alerts: [
          {
            exp_labels: {
              severity: "critical",
              network: "n",
              subnet: "S",
              node_id: "NodeID-A",
              validation_id: "V",
              name: "one",
              node: "a",
            },
            exp_annotations: {
              summary: "one: L1 balance has run out, it is inactive",
              description:
                "At the current price the balance of one (validation V of S) is used up (0 s left). Without balance it does not vote or sign, and its weight counts as missing.",
              action: actionOf("AvaxL1RunwayCritical"),
              runbook_url: runbookUrl("AvaxL1RunwayCritical"),
              dashboard_url: "/d/avax-l1?var-network=n&var-subnet=S",
            },
          },
        ],
      },
    ],
  },
  {
    name: "AvaxValidatorEndingSoon shows the time that is left",
    input_series: [
      {
        series: 'avax_validator_stake_end_timestamp_seconds{network="fuji",subnet="primary",node_id="NodeID-A"}',
        values: "87300x20",
      },
    ],
    alert_rule_test: [
      {
        alertname: "AvaxValidatorEndingSoon",
        eval_time: "15m",
        exp_alerts: [
          {
            exp_labels: { severity: "warning", network: "fuji", subnet: "primary", node_id: "NodeID-A" },
            exp_annotations: {
              summary: "NodeID-A: stake ends in 1d 0h 0m 0s",
              description:
                "The staking period of NodeID-A (subnet primary, fuji) ends in 1d 0h 0m 0s and does not renew automatically.",
              action: actionOf("AvaxValidatorEndingSoon"),
              runbook_url: runbookUrl("AvaxValidatorEndingSoon"),
              dashboard_url: "/d/avax-validator?var-network=fuji&var-validator=NodeID-A",
            },
          },
        ],
      },
    ],
  },
  ...linkTests([
    {
      name: "with the addresses of the user, and names of nodes as parts of a URL",
      links: ['instance="e:9750",job="avax",url="https://avax.example.org/x",dashboards_url="https://g.example.org"'],
      runbook: "https://avax.example.org/x/runbooks/AvaxNodeDiskLow",
      dashboards: "https://g.example.org",
    },
    {
      name: "to the dashboards alone",
      links: ['instance="e:9750",job="avax",dashboards_url="https://g.example.org/ops"'],
      runbook: runbookUrl("AvaxNodeDiskLow"),
      dashboards: "https://g.example.org/ops",
    },
    {
      name: "to the exporter that has the alert, of several shards",
      links: [
        'instance="a:9750",job="avax",url="https://a",dashboards_url="https://g.example.org"',
        'instance="e:9750",job="avax",url="https://e",dashboards_url="https://g.example.org"',
        'instance="f:9750",job="avax",url="https://f",dashboards_url="https://g.example.org"',
      ],
      runbook: "https://e/runbooks/AvaxNodeDiskLow",
      dashboards: "https://g.example.org",
    },
    {
      name: "to another exporter when its own has no address",
      links: ['instance="f:9750",job="other",url="https://f"'],
      runbook: "https://f/runbooks/AvaxNodeDiskLow",
      dashboards: "",
    },
  ]),
];

type LinkTest = {
  readonly name: string;
  /** Labels of the series with the addresses. */
  readonly links: readonly string[];
  readonly runbook: string;
  readonly dashboards: string;
};

function linkTests(tests: readonly LinkTest[]) {
  const node = "a & b/1?é";
  return tests.map(({ name, links, runbook, dashboards }) => ({
    name: `AvaxNodeDiskLow links ${name}`,
    input_series: [
      ...links.map((labels) => ({ series: `avax_exporter_links_info{${labels}}`, values: "1x40" })),
      {
        series: `avax_node_disk_available_ratio{node="${node}",network="n",instance="e:9750",job="avax"}`,
        values: "0.08x40",
      },
      configured(node),
    ],
    alert_rule_test: [
      {
        alertname: "AvaxNodeDiskLow",
        eval_time: "32m",
        exp_alerts: [
          {
            exp_labels: {
              ...{ severity: "warning", node, network: "n", node_id: `NodeID-${node}` },
              ...{ instance: "e:9750", job: "avax" },
            },
            exp_annotations: {
              summary: `${node} has 8 % of its disk left`,
              description: `The database's disk of ${node} has 8 % free. Below 10 % the node reports itself unhealthy, below 3 % it stops itself.`,
              action: actionOf("AvaxNodeDiskLow"),
              runbook_url: runbook,
              dashboard_url: `${dashboards}/d/avax-node?var-network=n&var-node=a+%26+b%2F1%3F%C3%A9`,
            },
          },
        ],
      },
    ],
  }));
}

function actionOf(alert: Alert["name"]): string | undefined {
  return ALERTS.find(({ name }) => name === alert)?.runbook.action;
}

function check(node: string, name: string): string {
  return `avax_node_health_check_passing{node="${node}",check="${name}",subnet="",instance="e:9750",job="avax"}`;
}

function configured(node: string) {
  return {
    series: `avax_node_configured{node="${node}",node_id="NodeID-${node}",instance="e:9750",job="avax"}`,
    values: "1x100",
  };
}
