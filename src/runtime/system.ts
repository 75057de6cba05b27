/** What a command may use of the process; `main.ts` is the only file that touches it. */
export type System = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly onSignal: (signal: "SIGINT" | "SIGTERM" | "SIGHUP", run: () => void) => void;
  /** Whether standard output is read by a person at a terminal. */
  readonly isTerminal?: boolean;
  readonly isRoot: boolean;
  /** Name of this machine; of a container its own. */
  readonly hostname: string;
  readonly nodeVersion: string;
};

/** Exit code of a command: 0 for success, 1 when what was asked for failed, 2 for a call that cannot be understood. */
export type ExitCode = 0 | 1 | 2;
