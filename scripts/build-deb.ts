import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { control, unitOfPackage } from "./debian.ts";
import { run, writeExecutable } from "./executable.ts";
import { licencesWithNode } from "./licences.ts";
import { madeNow, ROOT, VERSION } from "./made.ts";
import { sbomWithNode } from "./sbom.ts";

/**
 * Writes a Debian package for this processor into `dist`, or into the folder of `--folder`: the executable, the unit, a user, the
 * configuration and the files for Prometheus and Grafana. Needs dpkg-deb.
 */

const { values: flags } = parseArgs({ options: { folder: { type: "string", default: join(ROOT, "dist") } } });
const tree = mkdtempSync(join(tmpdir(), "avax-exporter-deb-"));
try {
  const file = await writePackage();
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(0)} MB`);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

async function writePackage(): Promise<string> {
  const program = join(tree, "usr/bin/avax-exporter");
  const doc = (name: string) => `usr/share/doc/avax-exporter/${name}`;
  const made = madeNow();
  const files = await writeExecutable(program, made);
  write("usr/lib/systemd/system/avax-exporter.service", unitOfPackage());
  write("etc/avax-exporter/config.yaml", readFileSync(join(ROOT, "deploy/debian/config.yaml")));
  write(doc("copyright"), `${readFileSync(join(ROOT, "LICENSE"), "utf8")}\n${licencesWithNode(files)}`);
  write(doc("sbom.cdx.json"), sbomWithNode(files, made));
  write(doc("changelog.gz"), gzipSync(readFileSync(join(ROOT, "CHANGELOG.md")), { level: 9 }));
  for (const name of ["README.md", "config.example.yaml"]) write(doc(name), readFileSync(join(ROOT, name)));
  write(doc("avax-exporter.socket"), readFileSync(join(ROOT, "deploy/systemd/avax-exporter.socket")));
  for (const path of ["config.schema.json", "docs/runbooks", "grafana"])
    cpSync(join(ROOT, path), join(tree, "usr/share/avax-exporter", path), { recursive: true });
  write("DEBIAN/conffiles", "/etc/avax-exporter/config.yaml\n");
  for (const script of ["postinst", "prerm", "postrm"])
    write(`DEBIAN/${script}`, readFileSync(join(ROOT, "deploy/debian", script)));
  const content = globSync("{etc,usr}/**/*", { cwd: tree }).map((path) => lstatSync(join(tree, path)));
  const bytes = content.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
  write("DEBIAN/control", control(Math.ceil(bytes / 1024), process.arch));
  setModes(program);
  mkdirSync(flags.folder, { recursive: true });
  // zstd: a second instead of a minute. Debian 12 and Ubuntu 22.04 read it.
  run("dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", tree, flags.folder);
  return join(flags.folder, `avax-exporter_${VERSION}_${process.arch === "x64" ? "amd64" : process.arch}.deb`);
}

function write(path: string, content: string | Uint8Array): void {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Modes do not depend on the umask or the clone. */
function setModes(program: string): void {
  chmodSync(tree, 0o755);
  for (const path of globSync("**/*", { cwd: tree })) {
    const file = join(tree, path);
    const isScript = /^DEBIAN\/p/.test(path);
    chmodSync(file, statSync(file).isDirectory() || isScript || file === program ? 0o755 : 0o644);
  }
}
