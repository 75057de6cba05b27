import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { alertmanagerExample, TEMPLATES } from "../../../generate/alertmanager.ts";
import type { Sending } from "../../../generate/notification-services.ts";
import { composeOf, prometheusOf, USER, type WantedStack } from "../../../generate/reached-stack.ts";
import { rulesFile } from "../../../generate/rules/rules.ts";
import { unitsOf, type UnitPlace } from "../../../generate/systemd-units.ts";
import { quoted } from "../../config/base/error-texts.ts";
import { unreadable } from "../../config/read/sources.ts";
import { VERSION } from "../../daemon/version.ts";
import { dashboardWith } from "../export/dashboard-with.ts";
import { SHIPPED_DASHBOARDS, shippedFile } from "../export/shipped-file.ts";

/** A file of the stack by its path in the folder. */
type File = { readonly path: string; readonly text: string; readonly isSecret?: true };

/** Where the stack has the exporter's configuration. */
export const EXPORTER_CONFIG = "exporter/config.yaml";

const PROVIDER = "grafana/provisioning/dashboards/avalanche.yaml";

/** A file that the stack has at its path in the repository. */
const shipped = (path: string): File => ({ path, text: shippedFile(path) });

/** What the user answered, and the login of the pages for people. */
export type StackAnswers = WantedStack & {
  readonly sending: Sending;
  readonly password: string;
  /** The password as a web configuration has it. */
  readonly hash: string;
};

/** Everything but the configuration of the exporter. */
function filesOf(answers: StackAnswers, place: UnitPlace): readonly File[] {
  const { sending, host } = answers;
  const inContainer = `docker compose --file ${shellWord(`${place.folder}/compose.yaml`)} exec`;
  const compose = composeOf(shippedFile("deploy/stack/compose.yaml"), answers)
    .replace('user: "1000:1000"', `user: "${place.uid}:${place.gid}"`)
    .replace(/(?<=AVAX_EXPORTER_COMMAND: ).*/, (text) =>
      composeText(text.replace("docker compose exec", () => inContainer)),
    );
  const units = Object.entries(unitsOf(compose, place));
  const head = `# Written by avax-exporter ${VERSION}: init --stack\n`;
  const pages = `http://${host ?? "127.0.0.1"}:9750`;
  const links =
    host === undefined ? { runbooks: null } : { runbooks: `${pages}/runbooks`, dashboards: `http://${host}:3000` };
  const options = { matchers: [], runbooks: `${pages}/runbooks`, exporter: pages };
  const dashboard = (name: string, path: string): File => ({
    path: `grafana/dashboards/${name}.json`,
    text: dashboardWith(shippedFile(path), options),
  });
  return [
    { path: "compose.yaml", text: compose },
    { path: "prometheus/prometheus.yml", text: prometheusOf(shippedFile("deploy/stack/prometheus.yml"), answers) },
    { path: "prometheus/rules.yaml", text: rulesFile(undefined, links) },
    { path: "alertmanager/alertmanager.yml", text: alertmanagerExample({ head, sending }), isSecret: true },
    { path: `alertmanager/${TEMPLATES}`, text: shippedFile(`grafana/alerts/${TEMPLATES}`) },
    shipped("grafana/provisioning/datasources/prometheus.yaml"),
    {
      path: PROVIDER,
      // Grafana replaces the variable, which compose.yaml and the unit set.
      text: shippedFile(PROVIDER).replace("path: /etc/grafana/dashboards", "path: $AVAX_STACK/grafana/dashboards"),
    },
    ...SHIPPED_DASHBOARDS.map((name) => dashboard(name, `grafana/dashboards/${name}.json`)),
    ...(answers.nodeExporter ? [dashboard("machine", "deploy/stack/machine.json")] : []),
    ...units.map(([name, text]) => ({ path: `systemd/${name}`, text })),
    ...loginFiles(answers),
  ];
}

/** A word of a command for a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text of a compose file, where `$` begins a variable. */
const composeText = (text: string): string => JSON.stringify(text.replaceAll("$", () => "$$"));

/** The login for those who check it, and for those who have it: Prometheus, Grafana and \`--login-file\`. */
function loginFiles({ host, password, hash }: StackAnswers): readonly File[] {
  const web = `basic_auth_users:\n  ${USER}: ${hash}\n`;
  const pages = host === undefined ? [] : ["exporter", "alertmanager"];
  return [
    { path: "login", text: `${USER}:${password}\n`, isSecret: true },
    ...["grafana", "prometheus"].map((name): File => ({ path: `${name}/password`, text: password, isSecret: true })),
    ...pages.map((name): File => ({ path: `${name}/web.yml`, text: web, isSecret: true })),
  ];
}

/** The folders that the services write to. */
const DATA = ["exporter", "prometheus", "alertmanager", "grafana"];

/** Why no stack can be written to this folder, in a sentence. */
export function refusedFolder(folder: string): string | undefined {
  // It would begin another line of a unit, of YAML or of the steps that are printed.
  if (/\p{Cc}/u.test(resolve(folder))) return `${quoted(folder)}: a path with a control character is refused`;
  try {
    return readdirSync(folder).length === 0 ? undefined : `${quoted(folder)} is not empty and is not replaced`;
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isAbsent ? undefined : `${quoted(folder)}: ${unreadable(error)}`;
  }
}

/** Writes the folder. The reason if it cannot be written, in a sentence. @param config of the exporter */
export function writeStack(config: string, answers: StackAnswers, place: UnitPlace): string | undefined {
  const { folder } = place;
  try {
    for (const name of DATA) mkdirSync(join(folder, "data", name), { recursive: true, mode: 0o700 });
    for (const { path, text, isSecret } of [{ path: EXPORTER_CONFIG, text: config }, ...filesOf(answers, place)]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: "wx", mode: isSecret === true ? 0o600 : 0o644 });
    }
    return undefined;
  } catch (error) {
    return `${quoted(folder)} cannot be written: ${unreadable(error)}`;
  }
}

/**
 * What to do with the folder, as text.
 * @param folder absolute
 * @param program how the user starts this program
 */
export function stackSteps(
  folder: string,
  program: string,
  host: string | undefined,
  taken: readonly number[],
): string {
  const at = host ?? "127.0.0.1";
  const login = host === undefined ? "" : ` --login-file=${folder}/login`;
  return [
    ...(taken.length === 0 ? [] : [`First free what listens here already: port ${taken.join(", ")}.`, ""]),
    "Start, in containers (the first line in a clone of avax-exporter):",
    "",
    "  docker build --tag avax-exporter .",
    `  docker compose --file ${folder}/compose.yaml up --detach`,
    "",
    "or without them, where Prometheus, Alertmanager and Grafana are installed:",
    "",
    `  sudo systemctl enable --now ${folder}/systemd/*.service`,
    "",
    "Then send a page, a ticket and their resolution:",
    "",
    `  ${program} test-notification${login}`,
    "",
    `Status page: http://${at}:9750/; Grafana: http://${at}:3000/; Alertmanager: http://${at}:9093/;`,
    "Prometheus: http://127.0.0.1:9090/",
    `Login${host === undefined ? " of Grafana" : ""}: ${folder}/login`,
    ...(host === undefined ? [] : ["It is not encrypted on its way: use a VPN, or a proxy with TLS."]),
    "",
  ].join("\n");
}
