import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, VERSION } from "./made.ts";

const PROGRAM = "/usr/bin/avax-exporter";
const FROM_FILE = /\/usr\/bin\/node (?:--[\w=-]+ )*\/opt\/avax-exporter\/avax-exporter\.mjs/g;

/**
 * The unit of deploy/systemd with the executable in place of Node.js and a file, and with the user of the package, who can read
 * the configuration. Throws when the unit no longer has what this replaces.
 */
export function unitOfPackage(): string {
  const unit = readFileSync(join(ROOT, "deploy/systemd/avax-exporter.service"), "utf8");
  const [, about] = /^# (Node\.js 24, and the file that `npm run build` makes\. )/m.exec(unit) ?? [];
  if (about === undefined || unit.search(FROM_FILE) < 0 || !/^DynamicUser=yes$/m.test(unit))
    throw new Error("deploy/systemd/avax-exporter.service has changed: adapt scripts/debian.ts");
  return unit
    .replace(about, "")
    .replace(FROM_FILE, PROGRAM)
    .replace(/^DynamicUser=yes$/m, "User=avax-exporter\nGroup=avax-exporter");
}

/** Debian's names of the processors for which there is an executable. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** The control file. `kilobytes` is the installed size. Throws on a processor that Debian does not have under this name. */
export function control(kilobytes: number, arch: string): string {
  const architecture = ARCHITECTURES[arch];
  if (architecture === undefined) throw new Error(`no Debian package for ${arch}: build on x64 or arm64`);
  const fields = {
    Package: "avax-exporter",
    Version: VERSION,
    Architecture: architecture,
    Maintainer: "avax-exporter contributors <noreply@github.com>",
    "Installed-Size": String(kilobytes),
    // What Node.js needs (readelf -V), and useradd for the user.
    Depends: "libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 6), passwd",
    Section: "net",
    Priority: "optional",
    Homepage: "https://github.com/avax-exporter/avax-exporter",
    Description: "Prometheus exporter for Avalanche nodes, validators, L1s and the network",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join("")} Polls nodes with requests that only read, and ships rules, runbooks and dashboards\n for Prometheus and Grafana.\n`;
}
