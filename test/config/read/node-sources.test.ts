import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeSources, unreadable } from "../../../src/config/read/sources.ts";

const FOLDER = join(import.meta.dirname, "../testdata");
const sources = nodeSources({ A: "b" });

test("read files, match patterns, and contain the environment", () => {
  expect(sources.readFile(join(FOLDER, "token"))).toBe("s3cret-from-file\n");
  expect([...sources.glob("nodes.d/*.yaml", FOLDER)].sort()).toEqual([
    "nodes.d/10-first.yaml",
    "nodes.d/20-second.yaml",
  ]);
  expect(sources.env).toEqual({ A: "b" });
});

test.each([
  ["no-such", "no such file"],
  [".", "it is a directory"],
  ["token/x", "a part of the path is not a directory"],
])("reports why %s cannot be read", (name, reason) => {
  let fault: unknown;
  try {
    sources.readFile(join(FOLDER, name));
  } catch (error) {
    fault = error;
  }
  expect(unreadable(fault)).toBe(reason);
});

test("never contains the message of an error", () => {
  expect(unreadable(new Error("s3cret"))).toBe("reading failed");
  expect(unreadable(Object.assign(new Error("s3cret"), { code: "EIO" }))).toBe("system error EIO");
  expect(unreadable("s3cret")).toBe("reading failed");
});
