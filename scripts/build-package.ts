import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeDeploy } from "./build-deploy.ts";
import { writeBundle } from "./bundle.ts";
import { licencesOf } from "./licences.ts";
import { madeNow, ROOT, VERSION } from "./made.ts";
import { sbomOf } from "./sbom.ts";

/**
 * Writes the npm package to `dist/package`, or to the folder of `--folder`, which it replaces: the bundle, and what an
 * installation needs besides. It has no dependencies and no install scripts. `npm pack ./dist/package` makes the file to publish.
 */

/** Copied as they are, with their paths. The README links to most of them. */
const FILES = [
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "config.example.yaml",
  "config.schema.json",
  "deploy",
  "docs/README.md",
  "docs/alerts.md",
  "docs/collectors.md",
  "docs/dashboards.md",
  "docs/debugging.md",
  "docs/planning.md",
  "docs/runbooks",
  "docs/scaling.md",
  "docs/using.md",
  "docs/web-server.md",
  "grafana",
];

/** Of use only in the repository. */
const TESTS = join(ROOT, "grafana/alerts/tests.yaml");

/**
 * The command. A file that is compiled already starts in four fifths of the time, so the compiled form is kept beside the installed
 * packages, where only who may replace the program can write; without write access there is none. A program cannot do this for its
 * own file. Plain JavaScript for every version of Node.js, which the bundle checks.
 */
const COMMAND = `#!/usr/bin/env node
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
const { enableCompileCache } = createRequire(import.meta.url)("node:module");
if (enableCompileCache) enableCompileCache(fileURLToPath(new URL("../.cache/avax-exporter", import.meta.url)));
import("./avax-exporter.mjs");
`;

const { values: flags } = parseArgs({ options: { folder: { type: "string", default: join(ROOT, "dist/package") } } });
const { folder } = flags;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const made = madeNow();
const { files } = await writeBundle({ file: join(folder, "avax-exporter.mjs"), form: "module", ...made });
writeFileSync(join(folder, "command.mjs"), COMMAND, { mode: 0o755 });
for (const path of FILES)
  cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (source) => source !== TESTS });
writeDeploy(join(folder, "deploy"));
writeFileSync(join(folder, "THIRD_PARTY_LICENSES.txt"), licencesOf(files));
writeFileSync(join(folder, "sbom.cdx.json"), sbomOf(files, made));
const { description, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  description: string;
  license: string;
};
const manifest = {
  name: "avax-exporter",
  version: VERSION,
  description,
  keywords: ["avalanche", "avalanchego", "exporter", "grafana", "metrics", "monitoring", "prometheus", "validator"],
  license,
  homepage: "https://github.com/avax-exporter/avax-exporter",
  repository: { type: "git", url: "git+https://github.com/avax-exporter/avax-exporter.git" },
  type: "module",
  bin: { "avax-exporter": "command.mjs" },
  files: ["command.mjs", "avax-exporter.mjs", "THIRD_PARTY_LICENSES.txt", "sbom.cdx.json", ...FILES],
  engines: { node: ">=24" },
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${folder} ${VERSION} (${made.revision})`);
