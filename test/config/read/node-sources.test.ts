import { expect, test } from "vitest";
import { unreadable } from "../../../src/config/read/sources.ts";

test("the reason why a file cannot be read never contains the message of an error", () => {
  expect(unreadable(new Error("s3cret"))).toBe("reading failed");
  expect(unreadable(Object.assign(new Error("s3cret"), { code: "EIO" }))).toBe("system error EIO");
  expect(unreadable("s3cret")).toBe("reading failed");
});
