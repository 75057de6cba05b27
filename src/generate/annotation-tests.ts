import { runbookUrl } from "../definitions/alerts.ts";

/** Promtool tests of rendered alert texts, because templates can only be checked when Prometheus renders them. */
export const ANNOTATION_TESTS = [
  {
    name: "AvaxNodeUnhealthy names the failing checks",
    input_series: [
      { series: 'avax_node_healthy{node="a",instance="e:9750",job="avax"}', values: "0x10" },
      { series: check("a", "diskspace"), values: "0x10" },
      { series: check("a", "network"), values: "0x10" },
      { series: check("a", "bls"), values: "1x10" },
      { series: check("b", "router"), values: "0x10" },
    ],
    alert_rule_test: [
      {
        alertname: "AvaxNodeUnhealthy",
        eval_time: "6m",
        exp_alerts: [
          {
            exp_labels: { severity: "critical", node: "a", instance: "e:9750", job: "avax" },
            exp_annotations: {
              summary: "a reports itself unhealthy",
              description:
                "The health API of a has answered healthy=false for 5 minutes. Failing now: diskspace network.",
              runbook_url: runbookUrl("AvaxNodeUnhealthy"),
            },
          },
        ],
      },
    ],
  },
  {
    name: "AvaxNodeDiskLow shows the free share",
    input_series: [{ series: 'avax_node_disk_available_ratio{node="a"}', values: "0.08x20" }],
    alert_rule_test: [
      {
        alertname: "AvaxNodeDiskLow",
        eval_time: "12m",
        exp_alerts: [
          {
            exp_labels: { severity: "critical", node: "a" },
            exp_annotations: {
              summary: "a has 8.0 % of its disk left",
              description:
                "The database's disk of a has 8.0 % free. Below 10 % the node reports itself unhealthy, below 3 % it stops itself.",
              runbook_url: runbookUrl("AvaxNodeDiskLow"),
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
              runbook_url: runbookUrl("AvaxValidatorEndingSoon"),
            },
          },
        ],
      },
    ],
  },
];

function check(node: string, name: string): string {
  return `avax_node_health_check_passing{node="${node}",check="${name}",instance="e:9750",job="avax"}`;
}
