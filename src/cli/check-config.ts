import { configured, problemText } from "./configuration.ts";
import type { Flags } from "./flags.ts";
import type { ExitCode, System } from "./system.ts";

/** Prints every problem of the configuration with its place, or that there is none. */
export function checkConfig(flags: Flags, system: System): ExitCode {
  const file = flags["config.file"];
  if (file === undefined) {
    system.err("check-config needs --config.file=FILE\n");
    return 2;
  }
  const result = configured(file, system);
  if (!result.ok) {
    system.err(problemText(result.problems));
    system.err(`${file}: ${result.problems.length} ${result.problems.length === 1 ? "problem" : "problems"}\n`);
    return 1;
  }
  system.err(problemText(result.loaded.warnings));
  system.out(`${file}: valid, ${result.loaded.config.nodes.length} nodes\n`);
  return 0;
}
