import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { inContainer } from "./container.ts";

/** What a command may use of the process; `main.ts` is the only file that touches it. */
export type System = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly onSignal: (signal: "SIGINT" | "SIGTERM" | "SIGHUP", run: () => void) => void;
  /** Whether standard output is read by a person at a terminal. */
  readonly isTerminal?: boolean;
  /** Whether this is the machine's root, against which the log warns. */
  readonly isRoot: boolean;
  /** Name of this machine; of a container its own. */
  readonly hostname: string;
  readonly nodeVersion: string;
};

/** Exit code of a command: 0 for success, 1 when what was asked for failed, 2 for a call that cannot be understood. */
export type ExitCode = 0 | 1 | 2;

/** The edges of a process. */
export function systemOf(process: NodeJS.Process): System {
  return {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    onSignal: (signal, handler) => void process.on(signal, handler),
    isTerminal: process.stdout.isTTY,
    // A container's root has no power over the machine unless somebody gave it, and our image runs as another user.
    isRoot: process.getuid?.() === 0 && !inContainer(process.env, existsSync),
    hostname: hostname(),
    nodeVersion: process.version,
  };
}
