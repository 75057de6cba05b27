import { workerFile } from "./worker.ts";

/** The code of the thread that `password-check.ts` starts. `scripts/build.ts` replaces it with the bundled text. */
export const passwordWorker = () => workerFile("password-worker.ts", import.meta.url);
