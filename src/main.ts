import { readFileSync } from "node:fs";
import { checkConfig } from "./cli/check-config.ts";
import { demo } from "./cli/demo.ts";
import { helpText, parseFlags, type CommandName, type Flags } from "./cli/flags.ts";
import { once } from "./cli/once.ts";
import { run } from "./cli/run.ts";
import { simulate } from "./cli/simulate.ts";
import type { ExitCode, System } from "./cli/system.ts";
import { REVISION, VERSION } from "./cli/version.ts";

const COMMANDS: Readonly<Record<CommandName, (flags: Flags, system: System) => ExitCode | Promise<ExitCode>>> = {
  run,
  "check-config": checkConfig,
  once,
  simulate,
  demo,
};

const system: System = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  onSignal: (signal, handler) => void process.on(signal, handler),
  isRoot: process.getuid?.() === 0 && !inContainer(),
  nodeVersion: process.version,
};

/** A container's root is its user's business; its image runs as another user anyway. */
function inContainer(): boolean {
  try {
    return readFileSync("/proc/1/cgroup", "utf8").includes("docker");
  } catch {
    return false;
  }
}

// A reader that goes away (`| head`) is no error of ours.
process.stdout.on("error", () => process.exit(0));

const call = parseFlags(process.argv.slice(2));
if ("problem" in call) {
  system.err(`avax-exporter: ${call.problem}\nTry --help.\n`);
  process.exitCode = 2;
} else if (call.flags.help === true) {
  system.out(helpText());
} else if (call.flags.version === true) {
  system.out(`avax-exporter ${VERSION} (${REVISION}), node ${process.version}\n`);
} else {
  process.exitCode = await COMMANDS[call.command](call.flags, system);
}
