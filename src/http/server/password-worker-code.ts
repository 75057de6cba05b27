import type { WorkerCode } from "../../runtime/worker-code.ts";

/** The thread that `password-check.ts` starts: here a file, in the bundle its whole text, which `scripts/build.ts` puts here. */
export const passwordWorker = (): WorkerCode => ({ code: new URL("password-worker.ts", import.meta.url), eval: false });
