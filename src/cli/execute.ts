import { aboutOf, versionText } from "../daemon/version.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { helpText, readArguments } from "./read-arguments.ts";
import type { CommandName } from "./commands.ts";
import { OWN_VERSION, type Flags } from "./flags.ts";
import { refuse, Refused } from "./text/refuse.ts";

/** `args` are the words after the command. */
type Run = (flags: Flags, system: System, args: readonly string[]) => ExitCode | Promise<ExitCode>;

/** Loads a command on demand: the daemon starts without the code of the simulated network. */
const LOADS: Readonly<Record<CommandName, () => Promise<Run>>> = {
  run: async () => (await import("./run.ts")).run,
  init: async () => (await import("./init.ts")).init,
  "check-config": async () => (await import("./check-config.ts")).checkConfig,
  once: async () => (await import("./once.ts")).once,
  doctor: async () => (await import("./doctor.ts")).doctor,
  "restart-plan": async () => (await import("./restart-plan.ts")).restartPlan,
  silence: async () => (await import("./silence.ts")).silence,
  call: async () => (await import("./call.ts")).call,
  report: async () => (await import("./report.ts")).report,
  backtest: async () => (await import("./backtest.ts")).backtest,
  export: async () => (await import("./export.ts")).exportFiles,
  "test-notification": async () => (await import("./test-notification.ts")).testNotification,
  healthcheck: async () => (await import("./healthcheck.ts")).healthcheck,
  simulate: async () => (await import("./simulate.ts")).simulate,
  demo: async () => (await import("./demo.ts")).demo,
  completion: async () => (await import("./completion.ts")).completion,
};

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
  const { version } = call.flags;
  if (version !== undefined && (version === OWN_VERSION || call.command !== "restart-plan")) {
    system.out(`${versionText(aboutOf(system))}\n`);
    return 0;
  }
  const run = await LOADS[call.command]();
  try {
    return await run(call.flags, system, call.args);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refuse(system, call.command, error.message, error.code);
  }
}
