import { startWorker } from "../http/server/worker.ts";
import type { Refused, Settings, SettingsSource } from "./settings.ts";
import { settingsWorker } from "./settings-worker-code.ts";

/**
 * `loadSettings` on a thread of its own: reading and checking a thousand nodes takes a few hundred milliseconds, in which a
 * running daemon must poll and answer scrapes. Rejects when the thread cannot be started or fails. Tests replace `worker`.
 */
export async function loadSettingsApart(
  source: SettingsSource,
  worker = settingsWorker(),
): Promise<Settings | Refused> {
  const { promise, resolve, reject } = Promise.withResolvers<Settings | Refused>();
  const thread = startWorker(worker, "configuration", { ...source, env: { ...source.env } });
  thread.once("message", resolve);
  thread.once("error", reject);
  thread.once("exit", () => reject(new Error("the thread that reads the configuration ended")));
  return promise;
}
