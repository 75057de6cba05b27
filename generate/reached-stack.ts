import { parseDocument } from "yaml";

/** The stack where people reach its machine from elsewhere: on every address, with a login, and with links that lead there. */

/** The user of the exporter's pages, of Alertmanager and of Grafana. */
export const USER = "avax";

/** A stack as its user wants it. */
export type WantedStack = {
  /** Where people reach the machine from elsewhere. */
  readonly host: string | undefined;
  /** Whether the machine is measured, too. */
  readonly nodeExporter: boolean;
};

/** The optional service and its job. */
const NODE_EXPORTER = "node-exporter";

const STYLE = { lineWidth: 0, flowCollectionPadding: false } as const;

/** The services; those with pages for people listen on every address where they are reached from elsewhere, with a login. */
export function composeOf(text: string, { host, nodeExporter }: WantedStack): string {
  const compose = parseDocument(text);
  if (!nodeExporter) compose.deleteIn(["services", NODE_EXPORTER]);
  if (host === undefined) return compose.toString(STYLE);
  const at = (port: number): string => `http://${host}:${port}`;
  const more = {
    exporter: ["--web.config.file=/stack/exporter/web.yml", `--web.external-url=${at(9750)}`],
    alertmanager: ["--web.config.file=/stack/alertmanager/web.yml"],
  };
  for (const [name, flags] of Object.entries(more))
    for (const flag of flags) compose.addIn(["services", name, "command"], flag);
  const grafana = ["services", "grafana", "environment"];
  for (const key of ["GF_AUTH_ANONYMOUS_ENABLED", "GF_AUTH_ANONYMOUS_ORG_ROLE", "GF_SERVER_HTTP_ADDR"])
    compose.deleteIn([...grafana, key]);
  compose.setIn([...grafana, "GF_SERVER_ROOT_URL"], `${at(3000)}/`);
  return compose
    .toString(STYLE)
    .replaceAll(/(?<=-url=)http:\/\/127\.0\.0\.1:(\d+)/g, (_all, port: string) => at(Number(port)))
    .replaceAll(/(?<=listen-address=)127\.0\.0\.1(?=:(?:9750|9093)\b)/g, "0.0.0.0");
}

/** Prometheus with the login of those that it asks. */
export function prometheusOf(text: string, { host, nodeExporter }: WantedStack): string {
  const config = parseDocument(text);
  if (!nodeExporter) config.deleteIn(["scrape_configs", 2]);
  if (host === undefined) return config.toString(STYLE);
  const ours = [
    ["alerting", "alertmanagers", 0],
    ["scrape_configs", 0],
    ["scrape_configs", 1, "http_sd_configs", 0],
  ];
  for (const path of ours)
    config.setIn([...path, "basic_auth"], config.createNode({ username: USER, password_file: "password" }));
  return config.toString(STYLE);
}
