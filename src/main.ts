import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { execute } from "./cli/execute.ts";
import { systemOf } from "./runtime/system.ts";

// From a clone every file is stripped of types and compiled: a cache halves the time of every start but the first. It is in the
// clone, because others can write to the system's folder for temporary files; without write access there is no cache.
if (import.meta.filename.endsWith(".ts"))
  enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));

// A reader that closes the pipe (`| head`) is not an error.
process.stdout.on("error", () => process.exit(0));

// Not awaited at the top level: the single executable runs this as a script, which has no such await. A rejection ends the
// process with its stack, as there. A name that no server resolves and a handshake that no node answers keep a process alive for
// seconds, so it ends itself once its words are written.
void execute(process.argv.slice(2), systemOf(process)).then((code) => {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
});
