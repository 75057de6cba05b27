import { workerFile } from "../../runtime/worker.ts";

/** The thread that `password-check.ts` starts; `scripts/build.ts` puts its whole text here. */
export const passwordWorker = () => workerFile("password-worker.ts", import.meta.url);
