import { provideTools } from "./tools.ts";

/** For vitest's `globalSetup`: installs the tools of the end-to-end tests before the first test. */
export function setup(): void {
  provideTools();
}
