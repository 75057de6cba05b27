import { provideTools } from "./tools.ts";

/** For vitest's `globalSetup`: what the end-to-end tests run beside the daemon is there before the first of them starts. */
export function setup(): void {
  provideTools();
}
