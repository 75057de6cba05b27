import { afterEach } from "vitest";
import { afterThisTest } from "./cleanup.ts";

/** A setup file: runs before each test file. */
afterEach(afterThisTest.run);
