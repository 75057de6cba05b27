import { parseArgs } from "node:util";
import { writeBundle } from "./bundle.ts";
import { madeNow, VERSION } from "./made.ts";

/**
 * Writes `dist/avax-exporter.mjs`, or the file of `--file`: the exporter and its dependencies in one file for plain Node.js.
 * `--plain` keeps it readable. The version is that of package.json, the revision the commit that is checked out.
 */

const { values: flags } = parseArgs({
  options: { file: { type: "string", default: "dist/avax-exporter.mjs" }, plain: { type: "boolean", default: false } },
});

const made = madeNow();
const { characters } = await writeBundle({ file: flags.file, plain: flags.plain, form: "module", ...made });
console.log(`${flags.file} ${VERSION} (${made.revision}): ${(characters / 1000).toFixed(0)} kB`);
