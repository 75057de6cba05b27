import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { alertmanagerExample, TEMPLATES } from "../../../generate/alertmanager.ts";
import type { Sending } from "../../../generate/notification-services.ts";
import { rulesFile } from "../../../generate/rules.ts";
import { unitsOf, type Place } from "../../../generate/systemd-units.ts";
import { quoted } from "../../config/base/words.ts";
import { unreadable } from "../../config/read/sources.ts";
import { VERSION } from "../../daemon/version.ts";
import { SHIPPED_DASHBOARDS, shippedFile } from "../export/shipped-files.ts";

/** A file of the stack by its path in the folder. */
type File = { readonly path: string; readonly text: string; readonly isSecret?: true };

/** Where the stack has the exporter's configuration. */
export const EXPORTER_CONFIG = "exporter/config.yaml";

const PROVIDER = "grafana/provisioning/dashboards/avalanche.yaml";

/** A file that the stack has at its path in the repository. */
const shipped = (path: string): File => ({ path, text: shippedFile(path) });

/** Everything but the configuration of the exporter. */
function filesOf(sending: Sending, place: Place): readonly File[] {
  const compose = shippedFile("deploy/stack/compose.yaml");
  const units = Object.entries(unitsOf(compose, place));
  const head = `# Written by avax-exporter ${VERSION}: init --stack --receiver=${sending.service}\n`;
  return [
    { path: "compose.yaml", text: compose.replace('user: "1000:1000"', `user: "${place.uid}:${place.gid}"`) },
    { path: "prometheus/prometheus.yml", text: shippedFile("deploy/stack/prometheus.yml") },
    { path: "prometheus/rules.yaml", text: rulesFile() },
    { path: "alertmanager/alertmanager.yml", text: alertmanagerExample({ head, sending }), isSecret: true },
    { path: `alertmanager/${TEMPLATES}`, text: shippedFile(`grafana/alerts/${TEMPLATES}`) },
    shipped("grafana/provisioning/datasources/prometheus.yaml"),
    {
      path: PROVIDER,
      // Grafana replaces the variable, which compose.yaml and the unit set.
      text: shippedFile(PROVIDER).replace("path: /etc/grafana/dashboards", "path: $AVAX_STACK/grafana/dashboards"),
    },
    ...SHIPPED_DASHBOARDS.map((name) => shipped(`grafana/dashboards/${name}.json`)),
    ...units.map(([name, text]) => ({ path: `systemd/${name}`, text })),
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
export function writeStack(config: string, sending: Sending, place: Place): string | undefined {
  const { folder } = place;
  try {
    for (const name of DATA) mkdirSync(join(folder, "data", name), { recursive: true, mode: 0o700 });
    for (const { path, text, isSecret } of [{ path: EXPORTER_CONFIG, text: config }, ...filesOf(sending, place)]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: "wx", mode: isSecret === true ? 0o600 : 0o644 });
    }
    return undefined;
  } catch (error) {
    return `${quoted(folder)} cannot be written: ${unreadable(error)}`;
  }
}

/** What to do with the folder, as text. @param folder absolute @param program how the user starts this program */
export function stackSteps(folder: string, program: string): string {
  return [
    "Start, in containers:",
    "",
    `  docker compose --file ${folder}/compose.yaml up --detach`,
    "",
    "or without them, where Prometheus, Alertmanager and Grafana are installed:",
    "",
    `  sudo systemctl enable --now ${folder}/systemd/*.service`,
    "",
    "Then send a page, a ticket and their resolution:",
    "",
    `  ${program} test-notification`,
    "",
    "Grafana: http://127.0.0.1:3000/; Prometheus: http://127.0.0.1:9090/;",
    "Alertmanager: http://127.0.0.1:9093/; status page: http://127.0.0.1:9750/",
    "",
  ].join("\n");
}
