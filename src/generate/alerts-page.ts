import { SEVERITIES, type Alert, type Cause } from "../catalogue/alert.ts";
import { ALERTS, ALERT_GROUPS } from "../definitions/alerts.ts";
import { POLICY } from "./alert-policy.ts";
import { code, page, table } from "./markdown.ts";
import { inWords } from "./runbooks.ts";

/** `docs/alerts.md`: the policy, the pages and the causes. */
export function alertsPage(alerts: readonly Alert[] = ALERTS): string {
  const pages = alerts.filter(({ severity }) => severity === "critical");
  return page(
    "# Alerts",
    "One cause is one page. Each alert declares what explains it (`explainedBy`, beside its expression). While the cause fires, Alertmanager does not send the consequence, and `doctor`, the status page and `/api/v1/findings` list it under the cause. [Runbooks](runbooks/README.md) lists all alerts by question.",
    `## Severities\n\n${policyTable()}`,
    "A page fires on for at least two minutes after its condition has ended, so that a restart of the exporter does not end it and send it again; a cause fires on longer than what it explains. A restart of a node sends no page: up to ten minutes without an answer, and bootstrapping, hold back what follows from them. Alerts with the same name, job and network are one notification; a second symptom of the same node is a notification of its own within a minute.",
    `## Pages\n\n${table(
      ["page", "after", "fires when", "lost by waiting"],
      pages.map(({ name, for: time, summary, loses = "" }) => [link(name), time, inWords(summary), loses]),
    )}`,
    `## Causes\n\nAn arrow leads from a cause to what it explains. Alerts that explain nothing else are counted. States in round boxes are never sent.\n\n${drawing(alerts)}`,
    ...ALERT_GROUPS.map(({ about, alerts: some }) => explanations(about, some)).filter((text) => text !== ""),
  );
}

function policyTable(): string {
  return table(
    ["severity", "meaning", "receiver in the example", "first notification after", "repeated after"],
    SEVERITIES.map((severity) => {
      const { means, receiver, groupWait, repeat } = POLICY[severity];
      return [code(severity), means, code(receiver), ...(severity === "none" ? ["", ""] : [groupWait, repeat])];
    }),
  );
}

function link(name: Alert["name"]): string {
  return `[${name}](runbooks/${name}.md)`;
}

/** The alerts of one question that have causes of their own. */
function explanations(about: string, alerts: readonly Alert[]): string {
  const rows = alerts.flatMap(({ name, explainedBy = [] }) =>
    explainedBy
      .filter(({ alert }) => alert !== "AvaxExporterAbsent")
      .map((cause) => [link(name), ...causeCells(cause)]),
  );
  return rows.length === 0 ? "" : `### ${about}\n\n${table(["alert", "explained by", "where equal", "why"], rows)}`;
}

function causeCells({ alert, equal, where = {}, only = {}, why, outranked }: Cause): readonly string[] {
  const conditions = [
    ...Object.entries(where).map(([label, value]) => `${label}="${value}" of the cause`),
    ...Object.entries(only).map(([label, value]) => `${label} ${value}`),
  ];
  return [
    link(alert),
    [...equal, ...conditions].map(code).join(", "),
    outranked === undefined ? why : `${why} ${outranked}`,
  ];
}

/** A Mermaid graph of the alerts that explain others. What explains nothing is counted by severity at its cause. */
function drawing(alerts: readonly Alert[]): string {
  const severityOf = new Map(alerts.map(({ name, severity }) => [name, severity]));
  const edges = alerts.flatMap(({ name, explainedBy = [] }) =>
    [...new Set(explainedBy.map(({ alert }) => alert))]
      .filter((alert) => alert !== "AvaxExporterAbsent")
      .map((alert) => ({ cause: alert, consequence: name })),
  );
  const causes = new Set(edges.map(({ cause }) => cause));
  const isShown = (name: Alert["name"]): boolean => causes.has(name) || severityOf.get(name) === "critical";
  const short = (name: Alert["name"]): string => name.slice("Avax".length);
  const counted = [
    ...Map.groupBy(
      edges.filter(({ consequence }) => !isShown(consequence)),
      ({ cause }) => cause,
    ),
  ].map(([cause, some]) => `  ${short(cause)} --> ${short(cause)}More["${some.length} more"]`);
  const boxes = alerts
    .filter(({ name }) => causes.has(name))
    .map(
      ({ name, severity }) => `  ${short(name)}${severity === "none" ? `(["${short(name)}"])` : `["${short(name)}"]`}`,
    );
  const arrows = edges
    .filter(({ consequence }) => isShown(consequence))
    .map(({ cause, consequence }) => `  ${short(cause)} --> ${short(consequence)}`);
  return ["```mermaid", "graph LR", ...boxes, ...arrows, ...counted, "```"].join("\n");
}
