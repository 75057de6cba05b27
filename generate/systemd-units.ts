import { parse } from "yaml";

/** A service of `compose.yaml`, as far as a unit has it. */
type Service = { readonly command?: readonly string[]; readonly environment?: Readonly<Record<string, string>> };

/** The folder of the stack in the containers. */
export const INSIDE = "/stack";

/** Programs of Debian's packages and of Grafana's, and the unit of each package, which would take the port. */
const PACKAGED: Readonly<Record<string, { readonly program: readonly string[]; readonly rival: string }>> = {
  prometheus: { program: ["/usr/bin/prometheus"], rival: "prometheus.service" },
  alertmanager: { program: ["/usr/bin/prometheus-alertmanager"], rival: "prometheus-alertmanager.service" },
  grafana: {
    program: ["/usr/share/grafana/bin/grafana", "server", "--homepath=/usr/share/grafana"],
    rival: "grafana-server.service",
  },
  "node-exporter": { program: ["/usr/bin/prometheus-node-exporter"], rival: "prometheus-node-exporter.service" },
};

/** What is said to a container alone: where the machine's folders are in it, and how to run a command in it. */
const OF_CONTAINERS = /^(--path\.rootfs=|AVAX_EXPORTER_COMMAND$)/;

/** Who runs the stack, from where, and with which program of ours. */
export type UnitPlace = {
  /** Absolute. */
  readonly folder: string;
  readonly uid: number;
  readonly gid: number;
  readonly program: readonly string[];
};

/** The services of `compose.yaml` as units of systemd, by name: the same commands without containers. */
export function unitsOf(compose: string, place: UnitPlace): Readonly<Record<string, string>> {
  const { services } = parse(compose, { merge: true }) as { readonly services: Readonly<Record<string, Service>> };
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [`avax-${name}.service`, unitOf(name, service, place)]),
  );
}

function unitOf(name: string, { command = [], environment = {} }: Service, { folder, uid, gid, program }: UnitPlace) {
  const packaged = PACKAGED[name];
  const here = (text: string): string => text.replaceAll(INSIDE, folder);
  const given = command.filter((each) => !OF_CONTAINERS.test(each)).map(here);
  const words = [...(packaged?.program ?? program), ...given];
  const variables = Object.entries(environment).filter(([key]) => !OF_CONTAINERS.test(key));
  return [
    "[Unit]",
    `Description=${name} of the stack in ${folder.replaceAll("%", "%%")}`,
    "Wants=network-online.target",
    "After=network-online.target",
    ...(packaged === undefined ? [] : [`Conflicts=${packaged.rival}`]),
    "",
    "[Service]",
    `User=${uid}`,
    `Group=${gid}`,
    ...variables.map(([key, value]) => `Environment=${word(`${key}=${here(value)}`)}`),
    `ExecStart=${words.map((each) => word(each).replaceAll("$", () => "$$")).join(" ")}`,
    "Restart=on-failure",
    "RestartSec=5s",
    "NoNewPrivileges=yes",
    "PrivateTmp=yes",
    "ProtectSystem=strict",
    ...(name === "node-exporter" ? [] : [`ReadWritePaths=${word(`${folder}/data/${name}`)}`]),
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "",
  ].join("\n");
}

/** A word as systemd reads it. */
function word(text: string): string {
  const plain = text.replaceAll("%", "%%");
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `"${plain.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
