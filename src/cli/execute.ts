import { aboutOf, versionText } from "../daemon/version.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { helpText, readArguments } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";

/** Runs the command of the arguments; 2 when they are invalid. */
export async function execute(args: readonly string[], system: System): Promise<ExitCode> {
  const call = readArguments(args);
  if ("problem" in call) {
    const help = call.command === "run" ? "--help" : `${call.command} --help`;
    system.err(`avax-exporter: ${call.problem}\nTry ${help}.\n`);
    return 2;
  }
  // `call` prints the help of its methods itself.
  if (call.flags.help === true && call.command !== "call") {
    system.out(helpText(call.isDefault === true ? "program" : call.command));
    return 0;
  }
  if (call.flags.version === true) {
    system.out(`${versionText(aboutOf(system))}\n`);
    return 0;
  }
  const run = await COMMANDS[call.command].load();
  return run(call.flags, system, call.args);
}
