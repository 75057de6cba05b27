import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { madeNow, ROOT } from "../../scripts/made.ts";
import { revisionOf } from "../../src/daemon/revision-of.ts";

test("SOURCE_DATE_EPOCH is the time of the build", () => {
  expect(madeNow({ SOURCE_DATE_EPOCH: "1767600000" }).date).toBe("2026-01-05T08:00:00Z");
  expect(madeNow({}).date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test("REVISION is the commit where the source has no repository", () => {
  const REVISION = "0123456789abcdef0123456789abcdef01234567";
  const nowhere = tmpdir();
  expect(madeNow({ REVISION }, nowhere).revision).toBe("0123456");
  expect(madeNow({ REVISION }).revision).toBe(revisionOf(ROOT));
  expect(madeNow({ REVISION: "unknown" }, nowhere).revision).toBe("unknown");
  expect(madeNow({}, nowhere).revision).toBe("unknown");
});

test.for(["", "yesterday", "1.5", "-1"])("SOURCE_DATE_EPOCH %j is refused with what to set", (given) => {
  expect(() => madeNow({ SOURCE_DATE_EPOCH: given })).toThrow(`SOURCE_DATE_EPOCH is "${given}": set Unix seconds`);
});
