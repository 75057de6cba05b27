import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { execute } from "./cli/execute.ts";
import { systemOf } from "./runtime/system.ts";

// From a clone every file has its types stripped and is compiled: kept, that halves the time of every start but the first.
// Inside the clone and not in the system's folder for temporary files, where others could write. Where it cannot be
// written it is not there, and nothing else changes.
if (import.meta.filename.endsWith(".ts"))
  enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));

// A reader that goes away (`| head`) is no error of ours.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await execute(process.argv.slice(2), systemOf(process));
