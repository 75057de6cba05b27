import { Worker } from "node:worker_threads";
import type { Refused, Settings, SettingsSource } from "./settings.ts";
import { settingsWorker } from "./settings-worker-code.ts";

/**
 * `loadSettings` on a thread of its own: reading and checking a thousand nodes takes a few hundred milliseconds, in which a
 * running daemon is to poll and to be scraped. Rejects when the thread cannot be started or fails. `worker` is replaced in tests.
 */
export async function loadSettingsApart(
  source: SettingsSource,
  worker = settingsWorker(),
): Promise<Settings | Refused> {
  const { promise, resolve, reject } = Promise.withResolvers<Settings | Refused>();
  // The environment that the configuration may name comes with the source; the thread itself needs none.
  const thread = new Worker(worker.code, {
    eval: worker.eval,
    name: "configuration",
    workerData: { ...source, env: { ...source.env } },
    env: {},
    execArgv: [],
  });
  thread.once("message", resolve);
  thread.once("error", reject);
  thread.once("exit", () => reject(new Error("the thread that reads the configuration has ended")));
  return promise;
}
