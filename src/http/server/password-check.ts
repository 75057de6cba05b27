import type { Worker } from "node:worker_threads";
import { passwordWorker } from "./password-worker-code.ts";
import { startWorker, type WorkerCode } from "./worker.ts";

/** Compares passwords with bcrypt hashes on a separate thread: bcrypt is slow by design and must not delay polls and scrapes. */
export type PasswordCheck = {
  /**
   * Whether the bcrypt `hash` matches `password`. Comparisons run sequentially. Rejects when the hash is invalid, when the
   * thread cannot be started, and when it ends without an answer.
   */
  readonly compare: (password: string, hash: string) => Promise<boolean>;
  /** Ends the thread; the next comparison starts a new one. */
  readonly close: () => Promise<void>;
};

/** The messages to and from the thread. */
export type PasswordQuestion = { readonly id: number; readonly password: string; readonly hash: string };
export type PasswordAnswer = { readonly id: number } & ({ readonly matches: boolean } | { readonly problem: string });

type Pending = { readonly resolve: (matches: boolean) => void; readonly reject: (error: Error) => void };

type Thread = {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  ended: boolean;
  idle: NodeJS.Timeout | undefined;
};

/** Milliseconds after which an idle thread is ended: cached credentials need none, and it uses about 10 MB. */
const IDLE_MS = 60_000;

/** The first comparison starts the thread. Tests replace `code` and `idleMs`. */
export function createPasswordCheck({ code = passwordWorker, idleMs = IDLE_MS } = {}): PasswordCheck {
  let thread: Thread | undefined;
  let lastId = 0;

  return {
    compare(password, hash) {
      if (thread === undefined || thread.ended) thread = startThread(code(), idleMs);
      const { worker, pending } = thread;
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      pending.set(id, { resolve, reject });
      clearTimeout(thread.idle);
      worker.ref();
      worker.postMessage({ id, password, hash } satisfies PasswordQuestion);
      return promise;
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}

function startThread(code: WorkerCode, idleMs: number): Thread {
  const worker = startWorker(code, "password check");
  const thread: Thread = { worker, pending: new Map(), ended: false, idle: undefined };
  const end = (error: Error): void => {
    thread.ended = true;
    clearTimeout(thread.idle);
    for (const { reject } of thread.pending.values()) reject(error);
    thread.pending.clear();
  };
  worker.on("message", (answer: PasswordAnswer) => {
    const request = thread.pending.get(answer.id);
    thread.pending.delete(answer.id);
    if (thread.pending.size === 0) endWhenIdle(thread, idleMs);
    if ("matches" in answer) request?.resolve(answer.matches);
    else request?.reject(new Error(answer.problem));
  });
  worker.on("error", (error) => end(new Error("the thread that checks passwords failed", { cause: error })));
  worker.on("exit", () => end(new Error("the thread that checks passwords has ended")));
  return thread;
}

/** Unreferences the thread and its timer, so that they do not keep the process alive. */
function endWhenIdle(thread: Thread, idleMs: number): void {
  thread.worker.unref();
  thread.idle = setTimeout(() => {
    thread.ended = true;
    void thread.worker.terminate();
  }, idleMs).unref();
}
