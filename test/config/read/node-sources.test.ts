import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeSources, unreadable } from "../../../src/config/read/sources.ts";

const FOLDER = join(import.meta.dirname, "../testdata");
const sources = nodeSources({});

test("reports why a file cannot be read", () => {
  let fault: unknown;
  try {
    sources.readFile(join(FOLDER, "token/x"));
  } catch (error) {
    fault = error;
  }
  expect(unreadable(fault)).toBe("a part of the path is not a directory");
});

test("never contains the message of an error", () => {
  expect(unreadable(new Error("s3cret"))).toBe("reading failed");
  expect(unreadable(Object.assign(new Error("s3cret"), { code: "EIO" }))).toBe("system error EIO");
  expect(unreadable("s3cret")).toBe("reading failed");
});
