import { expect, test } from "vitest";
import { nodeSources, unreadable } from "../../../src/config/read/sources.ts";

test.each([
  ["/dev/zero", "it is not a regular file"],
  ["/", "it is a directory"],
])("%s is not read: %s", (path, why) => {
  let thrown: unknown;
  try {
    nodeSources({}).readFile(path);
  } catch (error) {
    thrown = error;
  }
  expect(unreadable(thrown)).toBe(why);
});

test("the reason why a file cannot be read never contains the message of an error", () => {
  expect(unreadable(new Error("s3cret"))).toBe("reading failed");
  expect(unreadable(Object.assign(new Error("s3cret"), { code: "EIO" }))).toBe("system error EIO");
  expect(unreadable("s3cret")).toBe("reading failed");
});
