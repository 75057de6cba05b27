import { workerFile } from "../http/server/worker.ts";

/** The thread that `load-settings-apart.ts` starts; `scripts/build.ts` inlines its text here. */
export const settingsWorker = () => workerFile("settings-worker.ts", import.meta.url);
