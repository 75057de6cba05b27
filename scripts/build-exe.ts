import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeExecutable } from "./executable.ts";
import { licencesWithNode } from "./licences.ts";
import { madeNow, ROOT, VERSION } from "./made.ts";
import { sbomWithNode } from "./sbom.ts";

/**
 * Writes `dist/avax-exporter`, or the file of `--file`: one executable file for this system (Linux or macOS), which needs no
 * Node.js. The licences and the bill of materials of what it contains are beside it.
 */

const { values: flags } = parseArgs({
  options: { file: { type: "string", default: join(ROOT, "dist/avax-exporter") } },
});
const made = madeNow();
const files = await writeExecutable(flags.file, made);
writeFileSync(`${flags.file}.licenses.txt`, licencesWithNode(files));
writeFileSync(`${flags.file}.cdx.json`, sbomWithNode(files, made));
console.log(`${flags.file} ${VERSION} (${made.revision}): ${(statSync(flags.file).size / 1e6).toFixed(0)} MB`);
