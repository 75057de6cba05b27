import { fork, type ChildProcess, type ForkOptions } from "node:child_process";
import { once } from "node:events";

/** A process that answers requests one by one, over the channel of `fork`. */
export type AskedProcess = {
  readonly child: ChildProcess;
  /** Sends a request with an id; resolves with the answer that carries it. Rejects when the process ends before. */
  readonly ask: <T>(request: object) => Promise<T>;
  /** Ends it by closing the channel, or with SIGTERM where that is not enough. */
  readonly stop: () => Promise<void>;
};

const running = new Set<ChildProcess>();
// Even when the run dies, no process outlives it.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Milliseconds until SIGKILL. */
const PATIENCE = 10_000;

/** Starts a script with a channel. */
export function startAsked(script: string, args: readonly string[], options: ForkOptions): AskedProcess {
  const child = fork(script, args, options);
  running.add(child);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on("message", ({ id, answer }: { id?: number; answer?: unknown }) => {
    if (id === undefined) return;
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  });
  child.once("exit", (code, signal) => {
    running.delete(child);
    const error = new Error(`${script} ended with ${code ?? signal}`);
    for (const { reject } of waiting.values()) reject(error);
  });
  return {
    child,
    ask<T>(request: object): Promise<T> {
      const id = ++last;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(id, asked);
      child.send({ ...request, id });
      return asked.promise as Promise<T>;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      await gone;
      clearTimeout(kill);
    },
  };
}
