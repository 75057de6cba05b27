import type { Worker } from "node:worker_threads";
import { passwordWorker } from "./password-worker-code.ts";
import { startWorker, type WorkerCode } from "../../runtime/worker.ts";

/** Compares passwords with bcrypt hashes on a thread of its own: bcrypt is slow by design, and polls and scrapes do not wait for it. */
export type PasswordCheck = {
  /**
   * Whether the bcrypt `hash` is that of `password`. Questions are answered one after the other. Rejects when bcrypt cannot
   * read the hash, when the thread cannot be started, and when it ends before it has answered.
   */
  readonly compare: (password: string, hash: string) => Promise<boolean>;
  /** Ends the thread; the next comparison starts another. */
  readonly close: () => Promise<void>;
};

/** What the thread is asked, and what it answers. */
export type PasswordQuestion = { readonly id: number; readonly password: string; readonly hash: string };
export type PasswordAnswer = { readonly id: number } & ({ readonly matches: boolean } | { readonly problem: string });

type Asker = { readonly resolve: (matches: boolean) => void; readonly reject: (error: Error) => void };

type Thread = {
  readonly worker: Worker;
  readonly askers: Map<number, Asker>;
  ended: boolean;
  idle: NodeJS.Timeout | undefined;
};

/** A thread with nothing to do is ended: known credentials need none, and it holds some 10 MB. Milliseconds. */
const IDLE_MS = 60_000;

/** The thread starts with the first comparison. `code` and `idleMs` are replaced in tests. */
export function createPasswordCheck({ code = passwordWorker, idleMs = IDLE_MS } = {}): PasswordCheck {
  let thread: Thread | undefined;
  let asked = 0;

  return {
    compare(password, hash) {
      if (thread === undefined || thread.ended) thread = startThread(code(), idleMs);
      const { worker, askers } = thread;
      const id = ++asked;
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      askers.set(id, { resolve, reject });
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
  const thread: Thread = { worker, askers: new Map(), ended: false, idle: undefined };
  const end = (error: Error): void => {
    thread.ended = true;
    clearTimeout(thread.idle);
    for (const { reject } of thread.askers.values()) reject(error);
    thread.askers.clear();
  };
  worker.on("message", (answer: PasswordAnswer) => {
    const asker = thread.askers.get(answer.id);
    thread.askers.delete(answer.id);
    if (thread.askers.size === 0) rest(thread, idleMs);
    if ("matches" in answer) asker?.resolve(answer.matches);
    else asker?.reject(new Error(answer.problem));
  });
  worker.on("error", (error) => end(new Error("the thread that checks passwords failed", { cause: error })));
  worker.on("exit", () => end(new Error("the thread that checks passwords has ended")));
  return thread;
}

/** Neither the thread nor its timer keeps a process alive that has nothing else to do. */
function rest(thread: Thread, idleMs: number): void {
  thread.worker.unref();
  thread.idle = setTimeout(() => {
    thread.ended = true;
    void thread.worker.terminate();
  }, idleMs).unref();
}
