import type { WorkerCode } from "../runtime/worker-code.ts";

/** The thread that `load-settings-apart.ts` starts: here a file, in the bundle its whole text, which `scripts/build.ts` puts here. */
export const settingsWorker = (): WorkerCode => ({ code: new URL("settings-worker.ts", import.meta.url), eval: false });
