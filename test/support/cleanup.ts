import { createCleanup } from "./create-cleanup.ts";

/**
 * What a test started through a shared helper. `clean-up-after-each.ts` stops it: a hook that a helper registers on import would
 * run for the first file alone that imports it, because test files of a worker share their modules.
 */
export const afterThisTest = createCleanup();
