import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { askOn, type Ask } from "./ask.ts";
import { terminalText } from "./terminal-text.ts";

/** The process as commands see it; only `main.ts` accesses the global `process`. */
export type System = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly onSignal: (signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGUSR1", run: () => void) => void;
  /** Calls `run`, and no other, for each error that nothing else has caught, instead of the end of the process. */
  readonly onUncaught?: (run: (error: unknown) => void) => void;
  /** A report about the process in one line of JSON, without its environment. */
  readonly diagnosticReport?: () => string;
  /** Whether standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** Shows words in place of the current line, where standard error is a terminal. */
  readonly progress?: ((words: string) => void) | undefined;
  /** Whether the process runs as root, which causes a warning. */
  readonly isRoot: boolean;
  /** Host name; in a container that of the container. */
  readonly hostname: string;
  readonly nodeVersion: string;
  /** Number of the process. */
  readonly pid?: number;
  readonly ask?: Ask;
  /** User and group of the process, and the command that starts the program again. */
  readonly owner?: { readonly uid: number; readonly gid: number; readonly program: readonly string[] };
};

/** Exit code of a command: 0 for success, 1 for a failure, 2 for invalid arguments. `main.ts` ends with 70 by a defect. */
export type ExitCode = 0 | 1 | 2;

export function systemOf(process: NodeJS.Process): System {
  return {
    env: process.env,
    out: (text) => void process.stdout.write(terminalText(text, true)),
    err: (text) => void process.stderr.write(terminalText(text)),
    onSignal: (signal, handler) => void process.on(signal, handler),
    onUncaught(run) {
      for (const event of ["uncaughtException", "unhandledRejection"]) process.removeAllListeners(event).on(event, run);
    },
    diagnosticReport() {
      // The network as well: looking its names up takes seconds.
      Object.assign(process.report, { excludeEnv: true, excludeNetwork: true });
      return JSON.stringify(process.report.getReport());
    },
    isTerminal: process.stdout.isTTY,
    progress: process.stderr.isTTY
      ? (words) => void process.stderr.write(`\r\u001b[K${terminalText(words)}`)
      : undefined,
    isRoot: process.getuid?.() === 0,
    hostname: hostname(),
    nodeVersion: process.version,
    pid: process.pid,
    ask: askOn(process.stdin, process.stderr),
    owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, program: programOf(process) },
  };
}

/** A single executable is its own program; elsewhere Node.js runs a file. */
function programOf({ execPath, execArgv, argv: [, file] }: NodeJS.Process): readonly string[] {
  return file === undefined || file === execPath ? [execPath] : [execPath, ...execArgv, file];
}

/** Milliseconds for reads that are under way at the end, and between two looks at them. */
const READS_MS = 1_000;
const LOOK_MS = 50;

/**
 * Ends the process. It waits for reads of files; one of a mount that hangs never ends, and `exit` waits for its thread: then only a
 * signal ends the process.
 */
export async function leave(process: NodeJS.Process, code: number): Promise<void> {
  const isReading = () => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
  for (let waited = 0; isReading() && waited < READS_MS; waited += LOOK_MS) await pause(LOOK_MS);
  if (isReading()) {
    process.removeAllListeners("SIGTERM");
    process.kill(process.pid, "SIGTERM");
    // The kernel keeps signals of its own from process 1 of a container, but not an abort.
    if (process.pid === 1) process.abort();
  }
  process.exit(code);
}
