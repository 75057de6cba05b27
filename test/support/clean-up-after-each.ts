import { afterAll, afterEach } from "vitest";
import { afterThisTest } from "./cleanup.ts";

/** A setup file: runs before each test file. */
afterEach(afterThisTest.run);

/** Where `beforeAll` fails, no test follows. */
afterAll(afterThisTest.run);
