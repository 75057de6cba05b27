import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import { helpText, parseFlags, type CommandName, type Flags } from "./cli/flags.ts";
import type { ExitCode, System } from "./runtime/system.ts";
import { REVISION, VERSION } from "./daemon/version.ts";

type Command = (flags: Flags, system: System, args: readonly string[]) => ExitCode | Promise<ExitCode>;

/** Each command is loaded when it is called: the daemon starts without the simulated network. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  run: async () => (await import("./cli/run.ts")).run,
  "check-config": async () => (await import("./cli/check-config.ts")).checkConfig,
  once: async () => (await import("./cli/once.ts")).once,
  doctor: async () => (await import("./cli/doctor.ts")).doctor,
  call: async () => (await import("./cli/call.ts")).call,
  simulate: async () => (await import("./cli/simulate.ts")).simulate,
  demo: async () => (await import("./cli/demo.ts")).demo,
};

const system: System = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  onSignal: (signal, handler) => void process.on(signal, handler),
  isTerminal: process.stdout.isTTY,
  isRoot: process.getuid?.() === 0 && !inContainer(),
  hostname: hostname(),
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

// From a clone every file has its types stripped and is compiled: kept, that halves the time of every start but the first.
// Inside the clone and not in the system's folder for temporary files, where others could write. Where it cannot be
// written it is not there, and nothing else changes.
if (import.meta.filename.endsWith(".ts"))
  enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));

// A reader that goes away (`| head`) is no error of ours.
process.stdout.on("error", () => process.exit(0));

const call = parseFlags(process.argv.slice(2));
if ("problem" in call) {
  system.err(`avax-exporter: ${call.problem}\nTry --help.\n`);
  process.exitCode = 2;
} else if (call.flags.help === true && call.command !== "call") {
  system.out(helpText());
} else if (call.flags.version === true) {
  system.out(`avax-exporter ${VERSION} (${REVISION}), node ${process.version}\n`);
} else {
  const command = await COMMANDS[call.command]();
  process.exitCode = await command(call.flags, system, call.args);
}
