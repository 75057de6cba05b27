import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** A process that a test started. */
export type Child = {
  readonly pid: number;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Registers a function to call at each new output. */
  readonly onStderr: (listener: () => void) => void;
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  /** Sends a request over the channel, and resolves with its answer; both carry an `id`. */
  readonly ask: <T>(request: object) => Promise<T>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends it and resolves when it is gone; SIGKILL when it does not end within five seconds. */
  readonly stop: () => Promise<void>;
};

const running = new Set<ChildProcess>();
// Even when the test run dies, no process outlives it.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts a program without a shell. `open` are open files or sockets, which become its file descriptors from 3, or "ipc" for a channel
 * over which a process of Node.js answers (`ask`). `cwd` is its working directory.
 */
export function startChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  open: ReadonlyArray<number | "ipc"> = [],
  cwd = process.cwd(),
): Child {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe", ...open],
    env: { ...process.env, ...env },
    cwd,
  }) as ChildProcessByStdio<null, Readable, Readable>;
  running.add(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const asked = new Map<number, (answer: unknown) => void>();
  child.on("message", ({ id, answer }: { readonly id: number; readonly answer: unknown }) => asked.get(id)?.(answer));
  const exited = once(child, "close").then(([code, signal]: unknown[]): number | string => {
    running.delete(child);
    return typeof code === "number" ? code : String(signal);
  });
  exited.catch(() => running.delete(child));
  let requests = 0;
  return {
    pid: child.pid ?? -1,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    onStderr: (listener) => void child.stderr.on("data", listener),
    exited,
    async ask<T>(request: object): Promise<T> {
      const id = ++requests;
      const answer = new Promise<unknown>((resolve) => asked.set(id, resolve));
      child.send({ ...request, id });
      const ended = exited.then((code) => Promise.reject(new Error(`${program} ended with ${code}`)));
      return (await Promise.race([answer, ended]).finally(() => asked.delete(id))) as T;
    },
    signal: (signal) => void child.kill(signal),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      child.kill("SIGTERM");
      await exited.finally(() => clearTimeout(timer));
    },
  };
}

/** Resolves with the first match in what a process writes to stderr; rejects when it ends before, with what it wrote. */
export function written(child: Child, pattern: RegExp, within = 20_000): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`${why}, and never wrote ${String(pattern)}:\n${child.stderr().slice(-2_000)}`));
    const timer = setTimeout(() => fail("too late"), within);
    const check = () => {
      const match = pattern.exec(child.stderr());
      if (match === null) return;
      clearTimeout(timer);
      resolve(match);
    };
    child.onStderr(check);
    check();
    void child.exited.finally(() => {
      clearTimeout(timer);
      fail("the process ended");
    });
  });
}
