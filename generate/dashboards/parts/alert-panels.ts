import { SEVERITIES } from "../../../src/topics/define/alert.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { nameInWords } from "../../../src/topics/all/runbook-text.ts";
import { ALERT_SERIES, FIRING } from "./alert-series.ts";
import { unexplained } from "./explained.ts";
import { type Mappings, SPAN } from "./format.ts";
import type { Panel, PanelOptions } from "./panels.ts";
import { TO_L1, TO_NETWORK, TO_NODE, TO_RUNBOOK, TO_VALIDATOR, column, table, type LabelColumn } from "./table.ts";

type Matchers = Parameters<typeof where<(typeof ALERT_SERIES.alerts.labels)[number]>>[1];

/** Firing alerts of the exporter's rules. */
export function firing(matchers: Matchers): string {
  return where(ALERT_SERIES.alerts, { ...FIRING, ...matchers });
}

/** Also matches series without the label, such as facts of a network or of the exporter. */
export const orNone = (matcher: string): string => `${matcher}|`;

/** Severities as texts that sort by urgency. */
const RANK: Mappings = { "1": ["critical", "red"], "2": ["warning", "orange"], "3": ["info", "blue"] };
/** The words of each alert; the link needs its name. */
export const PROBLEMS: Mappings = Object.fromEntries(ALERTS.map(({ name }) => [name, [nameInWords(name), "text"]]));
/** Labels that specify the subject of an alert; an alert has only some of them. */
const ABOUT = [
  "title",
  "subnet_name",
  "check",
  "api",
  "wallet",
  "source_chain",
  "state",
  "evm_chain_id",
  "alone",
] as const;

const SUBJECTS: Readonly<Record<"network" | "node" | "node_id" | "validator" | "subnet" | "chain", LabelColumn>> = {
  network: { title: "Network", width: 85, link: TO_NETWORK },
  node: { title: "Node", width: 110, link: TO_NODE },
  node_id: { title: "Validator", width: 145, link: TO_VALIDATOR, short: true },
  /** A validator that is no polled node: a node is linked itself. */
  validator: { title: "Validator", width: 145, link: TO_VALIDATOR, short: true },
  subnet: { title: "Subnet", width: 85, link: TO_L1, short: true },
  chain: { title: "Chain", width: 75 },
};

/**
 * What fires by node and cause, worst first, without what another firing alert explains. The alerts of one node with one name
 * are one line, whatever their endpoints, and their chains where these are no column. `chosen` are the selected alerts; `subjects`
 * are the columns with their subjects.
 */
export function firingTable(
  about: string,
  chosen: string,
  subjects: ReadonlyArray<keyof typeof SUBJECTS>,
  size: Pick<PanelOptions, "width" | "height">,
): Panel {
  const since = where(ALERT_SERIES.since, { alertname: FIRING.alertname });
  const expr = `time() - (${since} and ignoring (alertstate) (${unexplained(chosen)}))`;
  const reading = "A problem links to its runbook. For: time since the condition became true.";
  return table("Firing alerts", `${about} ${reading}`, {
    ...size,
    noValue: "no alerts (if the rules are installed)",
    labels: {
      rank: { title: "Severity", width: 80, mappings: RANK },
      alertname: { title: "Problem", width: 235, link: TO_RUNBOOK, mappings: PROBLEMS },
      ...Object.fromEntries(subjects.map((name) => [name, SUBJECTS[name]])),
      about: { title: "Details" },
    },
    sortedBy: "Severity",
    columns: [column("For", ranked(withDetails(expr)), { unit: SPAN, width: 110 })],
  });
}

/** The label `rank`: "1" for the most urgent severity. */
function ranked(expr: string): string {
  const sent = SEVERITIES.filter((severity) => severity !== "none");
  return sent.reduce(
    (inner, severity, index) => `label_replace(${inner}, "rank", "${index + 1}", "severity", "${severity}")`,
    expr,
  );
}

/**
 * The label `about`: what is not a column, with the names of validators and subnets. A chain is told where no node
 * is: alerts of a node are one line for all chains.
 */
function withDetails(expr: string): string {
  const unlessNode = (inner: string, label: string, from: string) =>
    `label_replace(label_replace(${inner}, "${label}", "$1", "${from}", "(.*)"), "${label}", "", "node", ".+")`;
  const titled = unlessNode(unlessNode(expr, "alone", "chain"), "title", "name");
  return `label_join(${unlessNode(titled, "validator", "node_id")}, "about", " ", ${ABOUT.map((name) => `"${name}"`).join(", ")})`;
}
