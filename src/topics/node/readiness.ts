import { Liveness, Readiness, SubnetHealth } from "../../api/node/health.ts";
import { isChainCheck } from "../labels.ts";
import { gauge, gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

export const readiness = topic(
  { id: "readiness", about: "Has the node finished starting?", scope: "node", needs: { report: Readiness } },
  {
    ready: gauge(
      "avax_node_ready",
      "1 once the node has finished starting; stays 1 until it restarts (health API readiness, `healthy`).",
      ({ report }) => report.healthy,
    ),
  },
);

export const liveness = topic(
  { id: "liveness", about: "Is the node's API available?", scope: "node", needs: { report: Liveness } },
  {
    live: gauge(
      "avax_node_live",
      "1 when the node's API is available (health API liveness, `healthy`).",
      ({ report }) => report.healthy,
    ),
  },
);

export const subnetHealth = topic(
  {
    id: "subnet-health",
    about: "Are the chains of each configured subnet healthy on this node?",
    scope: "node",
    needs: { reports: SubnetHealth },
  },
  {
    healthy: gauges(
      "avax_subnet_healthy",
      "1 when the global checks and those of this subnet pass; absent when the node has no check for it (health API with tag, `healthy`).",
      ["subnet"],
      ({ reports }) =>
        [...reports].map(([subnet, report]) => [{ subnet }, hasChainCheck(report) ? report.healthy : undefined]),
    ),
    known: gauges(
      "avax_subnet_health_known",
      "0 when the node has no check for this subnet: it does not track it, or the ID is mistyped (health API with tag, `checks`).",
      ["subnet"],
      ({ reports }) => [...reports].map(([subnet, report]) => [{ subnet }, hasChainCheck(report)]),
    ),
  },
);

/** For an unknown tag the node answers with the global checks only, which would read as healthy. */
function hasChainCheck(report: { readonly checks: Readonly<Record<string, unknown>> }): boolean {
  return Object.keys(report.checks).some(isChainCheck);
}
