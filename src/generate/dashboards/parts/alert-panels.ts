import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { SEVERITIES, type Severity } from "../../../catalogue/alert.ts";
import { where } from "../../../catalogue/selector.ts";
import { ALERT_SERIES, FIRING } from "./alert-series.ts";
import type { Mappings } from "./mappings.ts";
import type { PanelOptions, PanelBuilder } from "./panel-options.ts";
import { TO_L1, TO_NETWORK, TO_NODE, TO_RUNBOOK, TO_VALIDATOR } from "./links.ts";
import { table, type LabelColumn } from "./table.ts";

type Matchers = Parameters<typeof where<(typeof ALERT_SERIES.alerts.labels)[number]>>[1];

/** Firing alerts of the exporter's rules. */
export function firing(matchers: Matchers): string {
  return where(ALERT_SERIES.alerts, { ...FIRING, ...matchers });
}

/** Also matches series without the label, such as facts of a network or of the exporter. */
export const orNone = (matcher: string): string => `${matcher}|`;

const RANK: Mappings = { 1: ["critical", "red"], 2: ["warning", "orange"], 3: ["info", "blue"] };
/** Labels that specify the subject of an alert; an alert has only some of them. */
const ABOUT = ["check", "api_endpoint", "api", "wallet", "source_chain", "state", "evm_chain_id"] as const;

const SUBJECTS: Readonly<Record<"network" | "node" | "node_id" | "subnet" | "chain", LabelColumn>> = {
  network: { title: "Network", width: 85, link: TO_NETWORK },
  node: { title: "Node", width: 90, link: TO_NODE },
  node_id: { title: "Validator", width: 130, link: TO_VALIDATOR, short: true },
  subnet: { title: "Subnet", width: 85, link: TO_L1, short: true },
  chain: { title: "Chain", width: 75 },
};

type AlertTableOptions = Omit<PanelOptions, "unit" | "thresholds" | "mappings" | "noValue">;

/** The firing alerts, worst first. `chosen` selects them by severity; `subjects` are the columns with their subjects. */
export function firingTable(
  options: AlertTableOptions,
  chosen: (more: { readonly severity?: Severity }) => string,
  subjects: ReadonlyArray<keyof typeof SUBJECTS>,
): PanelBuilder {
  const about = (expr: string) => `label_join(${expr}, "about", " ", ${ABOUT.map((name) => `"${name}"`).join(", ")})`;
  const rank = SEVERITIES.filter((severity) => severity !== "none")
    .map((severity, index) => `${index + 1} * (${chosen({ severity })})`)
    .join(" or ");
  const since = where(ALERT_SERIES.since, { alertname: FIRING.alertname });
  return table(
    { ...options, unit: Short, noValue: "no alerts (if the rules are installed)" },
    {
      labels: {
        alertname: { title: "Alert", width: 225, link: TO_RUNBOOK },
        ...Object.fromEntries(subjects.map((name) => [name, SUBJECTS[name]])),
        about: { title: "Details" },
      },
      sortedBy: "Severity",
      columns: [
        { title: "Severity", expr: about(rank), mappings: RANK, width: 80, first: true },
        {
          title: "For",
          expr: about(`time() - (${since} and ignoring (alertstate) (${chosen({})}))`),
          unit: Seconds,
          decimals: 1,
          width: 95,
        },
      ],
    },
  );
}
