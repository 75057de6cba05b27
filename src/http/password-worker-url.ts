/** The thread that `password-check.ts` starts. In the bundle `scripts/build.ts` puts its whole text here, as a `data:` URL. */
export const PASSWORD_WORKER = new URL("password-worker.ts", import.meta.url);
