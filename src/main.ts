import { execute } from "./cli/execute.ts";
import { defectText } from "./daemon/last-resort.ts";
import { leave, systemOf } from "./daemon/system.ts";

// A reader that closes the pipe (`| head`) is not an error.
process.stdout.on("error", () => process.exit(0));

// An exception that no code expects, of this program or a library. A daemon that serves goes on instead (`onUncaught`).
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => {
    process.stderr.write(defectText(error, process.version));
    void leave(process, 70);
  });

// Not awaited at the top level: the single executable runs this as a script, which has no such await. A name that no server resolves and a handshake that no node answers keep a process alive for
// seconds, so it ends itself once its words are written.
void execute(process.argv.slice(2), systemOf(process)).then((code) => {
  process.stdout.write("", () => process.stderr.write("", () => void leave(process, code)));
});
