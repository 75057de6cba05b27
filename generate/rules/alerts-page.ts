import { SEVERITIES, type Alert } from "../../src/topics/define/alert.ts";
import { written } from "../../src/config/base/alert-limit.ts";
import { ALERTS, THRESHOLDS } from "../../src/topics/all/alerts.ts";
import { POLICY, SYMPTOMS } from "./alert-policy.ts";
import { code, page, table } from "../text/markdown.ts";

/** The services with their pictures, which `npm run pictures` draws. */
const SERVICE_PICTURES = [
  ["pagerduty", "PagerDuty"],
  ["pushover", "Pushover"],
  ["telegram", "Telegram"],
  ["slack", "Slack"],
  ["email", "E-mail"],
  ["discord", "Discord"],
] as const;

/** `docs/alerts.md`: the policy, the pages, the thresholds and the causes. */
export function alertsPage(alerts: readonly Alert[] = ALERTS): string {
  return page(
    "# Alerts",
    "One cause is one page. Each alert declares what explains it (`explainedBy`, beside its expression). While the cause fires, Alertmanager does not send the consequence, and `doctor`, the status page and `/api/v1/findings` list it under the cause. [Runbooks](runbooks/README.md) lists all alerts by question.",
    `## Severities\n\n${policyTable()}`,
    "An alert that explains others ends half a minute to eight minutes after its condition (`keep_firing_for`), later than each of them: else they would be sent when all is well. While the exporter is away or restarts, a page rests on the last sample for six minutes, and its wait goes on; after five minutes AvaxExporterAbsent pages. A page about a node that then stops answering lasts until the node answers: what was true of it is unknown, not over. Two exporters of the same nodes in one job give one alert: a node is down if both say so. A restart of a node sends no page: up to ten minutes without an answer, and bootstrapping, hold back the tickets that follow from them. A page is held back by other pages alone. Alerts with the same name, job and network are one notification; a second symptom of the same node is a notification of its own within a minute.",
    "## Notifications",
    "The title is the sentence of the first alert, with the other nodes behind it: “sim-3 does not answer; also sim-4”. The time is that of the cause, not of the alert: the annotation `waited` has the `for` of the rule, and the texts subtract it, and `lingered`, the time since its condition ended. They know the durations of the shipped rules and other usual ones; with a `for` of your own such as 11m they show “firing since”. A resolution says what is well (annotation `over`, behind the subject), and after how long: “sim-3 answers again after 25 min”.",
    "A page as PagerDuty, Pushover and Telegram get it, and a ticket of two nodes as Slack, e-mail and Discord do. A webhook gets Alertmanager's JSON.",
    SERVICE_PICTURES.map(([service, name]) => `![${name}](pictures/notification-${service}.png)`).join("\n"),
    "A further alert of a notification waits for the interval in the table, so that a ticket about a node is never held back for long by another node's. While nodes join or leave, that is at most twelve messages an hour for each alert, job and network; without a change there is none until the repeat.",
    "## Restarts of Prometheus",
    "Start Prometheus with `--rules.alert.for-grace-period=1m`, as the stack does. After a restart it restores how long an alert has waited or fired, but by default only of alerts with a `for` of 10 minutes and more: the others resolve and fire again, and their pages come twice.",
    "## Two exporters",
    "A second exporter of the same nodes, on another machine, goes on when the first one is gone. One cause stays one notification:",
    [
      "```yaml",
      "scrape_configs:",
      "  - job_name: avax-exporter",
      "    static_configs:",
      '      - targets: ["watch-1:9750", "watch-2:9750"]',
      "```",
    ].join("\n"),
    [
      "- **One job, the same configuration.** The rules put the series of a job together by `node` and `network`, whatever their `instance`. With two jobs, or two names of a node, every alert comes twice.",
      "- **Set `network` and `node_id` of each node.** An exporter that starts without its state while a node is down has not learned them: its series lack both labels, and the node pages twice.",
      "- **A node is down** when both find it, so that an exporter without a network does not page for its nodes. Any other problem counts when one finds it. Alerts about an exporter itself name its `instance`.",
      "- **Each keeps its own [state](../deploy/README.md#state-file)**: the second one in the same directory keeps nothing.",
      "- **Nodes get twice the requests.** In dashboards choose one under `Exporter`.",
    ].join("\n"),
    `## Pages\n\n${table(
      ["symptom", "alert", "fires after", "lost by waiting"],
      SYMPTOMS.flatMap(([symptom, names]) =>
        pagesOf(names, alerts).map(({ name, for: time, impact = "" }, index) => [
          index === 0 ? symptom : "",
          link(name),
          time,
          impact,
        ]),
      ),
    )}`,
    `## Tickets that sound like pages\n\n${table(
      ["alert", "why it can wait"],
      alerts.flatMap(({ name, noPage }) => (noPage === undefined ? [] : [[link(name), noPage]])),
    )}`,
    "## Dead man's switch",
    "An alert that does not arrive looks like a network in good order. [AvaxWatchdog](runbooks/AvaxWatchdog.md) fires all the time; Alertmanager's example sends it every minute to the receiver `dead-mans-switch`, a service outside of your network that expects it, such as healthchecks.io or Dead Man's Snitch. When Prometheus, the rules, Alertmanager or the network between them fails, the service hears nothing for five minutes and reports it by its own means. Set its address in the example, and let it page the same people. AvaxExporterAbsent needs Prometheus alive: the switch does not.",
    "## Thresholds",
    "`avax-exporter export rules --set=NAME=VALUE` prints the rules with another threshold; the texts of the alerts follow. A share is `15%` or `0.15`, a duration `4d` or `30m`. Every alert also has `ALERT.for`, the time for which its condition holds before it fires: `--set=AvaxNodeDown.for=15m`. The section `alerts` of the configuration has the same names. With it `doctor`, the status page, `/api/v1/findings` and the runbooks on the exporter's pages have your values too, and `avax-exporter export rules --config.file=config.yaml` writes them into the rules; `--set` changes these again. The limits in the dashboards keep the defaults.",
    table(
      ["name", "alert", "fires", "default", "from", "to"],
      THRESHOLDS.map((threshold) => [
        code(threshold.limit.name),
        alerts
          .filter(({ thresholds }) => thresholds.includes(threshold))
          .map(({ name }) => link(name))
          .join(", "),
        threshold.about,
        written(threshold.limit.standard, threshold.limit.unit),
        written(threshold.limit.least, threshold.limit.unit),
        written(threshold.limit.most, threshold.limit.unit),
      ]),
    ),
    "## Your exporter, your links",
    "`--job=avax-exporter` and `--selector='env=\"prod\"'` restrict every series of the rules to one of several exporters. What must be equal is also a label of the recorded series and of the alerts, because an aggregation drops the labels of the scrape. `--runbook-url` is the address of your runbooks, such as `https://avax.example.org/runbooks` of an exporter; without it they are those of the repository. `--dashboard-url` is that of your Grafana; without it alerts have no link to a dashboard. `--rules.format=mimir` adds the namespace for `mimirtool rules load`, `--rules.format=kubernetes` prints a PrometheusRule, `--rules.format=grafana` a file for `provisioning/alerting/` of Grafana, which evaluates the alerts itself: one query and one threshold each, in the folder `avax-exporter`, of the data source with the UID `prometheus` (`sed 's/id: prometheus/id: YOUR_UID/'` for another). Grafana has no inhibition, so one cause can be several notifications, and the states that only explain other alerts and the dead man's switch are left out. vmalert reads the default format, and has the functions that the texts use.",
    `## Causes\n\nAn arrow leads from a cause to what it explains. Alerts that explain nothing else are counted; the runbook of each has its causes. States in round boxes are never sent. An exporter that is absent or reaches none of its nodes explains everything, and is left out.\n\n${drawing(alerts)}`,
  );
}

function policyTable(): string {
  return table(
    [
      "severity",
      "meaning",
      "receiver in the example",
      "first notification after",
      "a further alert of it after at most",
      "repeated after",
    ],
    SEVERITIES.map((severity) => {
      const { means, receiver, groupWait, groupInterval, repeat } = POLICY[severity];
      return [
        code(severity),
        means,
        code(receiver),
        ...(severity === "none" ? ["", "", ""] : [groupWait, groupInterval, repeat]),
      ];
    }),
  );
}

/** These alerts, in this order. */
function pagesOf(names: ReadonlyArray<Alert["name"]>, alerts: readonly Alert[]): readonly Alert[] {
  return names.flatMap((name) => alerts.filter((alert) => alert.name === name));
}

function link(name: Alert["name"]): string {
  return `[${name}](runbooks/${name}.md)`;
}

/** They explain nearly every alert, and are left out of the drawing. */
const BLIND: ReadonlyArray<Alert["name"]> = ["AvaxExporterAbsent", "AvaxExporterCannotPoll"];

/** A Mermaid graph of the alerts that explain others. What explains nothing is counted by severity at its cause. */
function drawing(alerts: readonly Alert[]): string {
  const severityOf = new Map(alerts.map(({ name, severity }) => [name, severity]));
  const edges = alerts.flatMap(({ name, explainedBy = [] }) =>
    [...new Set(explainedBy.map(({ alert }) => alert))]
      .filter((alert) => !BLIND.includes(alert))
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
