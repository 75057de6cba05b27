import type { Alert, Cause } from "../define/alert.ts";
import { EXPORTER_BLIND } from "../define/causes.ts";
import { withNodeId, withValidatorName } from "../define/join.ts";
import type { Series } from "../define/recording.ts";
import { nodeLabels } from "../node/identity.ts";
import { validator } from "../validators/validator.ts";

/**
 * Labels that join alerts: an alert about a polled node gets its `node_id`, one about a validator gets its `name` and the `node`
 * that it is. Its promtool cases get the series of the join.
 */
export function joined(alert: Alert): Alert {
  const { labels } = alert.fires;
  if ("node" in labels) return ofNode(alert);
  return isOfValidator(alert) ? ofValidator(alert) : alert;
}

/** Adds the causes that explain every alert: an exporter that is absent, or that reaches none of its nodes. */
export function explained(alert: Alert): Alert {
  if (alert.severity === "none" || WITHOUT_SIGHT.includes(alert.name)) return alert;
  const blind = "node" in alert.fires.labels ? [EXPORTER_BLIND] : [];
  return { ...alert, explainedBy: [...(alert.explainedBy ?? []), ...blind, ABSENT] };
}

const WITHOUT_SIGHT: ReadonlyArray<Alert["name"]> = [
  "AvaxExporterAbsent",
  "AvaxExporterCannotPoll",
  "AvaxExporterShardMissing",
];
const ABSENT: Cause = {
  alert: "AvaxExporterAbsent",
  equal: [],
  why: "No scrape succeeds: alerts that still fire rest on old samples.",
};

function ofNode(alert: Alert): Alert {
  const { fires, silent } = alert;
  const nodeId = `NodeID-${fires.labels["node"] ?? ""}`;
  return {
    ...alert,
    expr: alert.hasNodeId === true ? alert.expr : withNodeId(alert.expr, nodeLabels.metrics.configured),
    fires: {
      ...fires,
      series: { ...fires.series, ...configuredNodes(fires.series) },
      labels: { ...fires.labels, node_id: nodeId },
    },
    silent: { ...silent, series: { ...silent.series, ...configuredNodes(silent.series) } },
  };
}

/** As long as the longest case, in minutes. */
const ALWAYS = "1x500";

/** `avax_node_configured` of each node in these series, with the node ID `NodeID-<node>`. */
function configuredNodes(series: Series): Series {
  const labels = Object.keys(series).flatMap((each) => {
    const [, node] = /[{,]node="([^"]*)"/.exec(each) ?? [];
    const [, network] = /[{,]network="([^"]*)"/.exec(each) ?? [];
    return node === undefined ? [] : [[node, network] as const];
  });
  return Object.fromEntries(
    labels.map(([node, network]) => [
      `${nodeLabels.metrics.configured}{node="${node}",${network === undefined ? "" : `network="${network}",`}node_id="NodeID-${node}"}`,
      ALWAYS,
    ]),
  );
}

function ofValidator(alert: Alert): Alert {
  return { ...alert, expr: withValidatorName(alert.expr, validator.metrics.info) };
}

/** The series that gives a validator of a promtool case its name and node. */
export function namedValidator({ network, node_id }: Readonly<Record<string, string>>): Series {
  return {
    [`${validator.metrics.info}{network="${network ?? ""}",node_id="${node_id ?? ""}",name="one",node="a"}`]: ALWAYS,
  };
}

/** Whether an alert is about a validator, and gets a name. */
export function isOfValidator({ fires: { labels } }: Alert): boolean {
  return "node_id" in labels && "network" in labels && !("node" in labels);
}
