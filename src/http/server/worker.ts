import { Worker } from "node:worker_threads";

/** What a thread runs: a file, or the text of a program. */
export type WorkerCode = { readonly code: URL | string; readonly eval: boolean };

/** A program in a file of its own, beside the module whose `import.meta.url` is `base`. */
export function workerFile(name: string, base: string): WorkerCode {
  return { code: new URL(name, base), eval: false };
}

/**
 * Starts a thread that receives only `data`: neither the environment, which can hold secrets, nor the options of this process.
 * Throws when the code cannot be started.
 */
export function startWorker({ code, eval: isText }: WorkerCode, name: string, data?: unknown): Worker {
  return new Worker(code, { name, eval: isText, workerData: data, env: {}, execArgv: [] });
}
