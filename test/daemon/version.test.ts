import { expect, it } from "vitest";
import { aboutOf, versionText } from "../../src/daemon/version.ts";

it("the version names the time of the build, and a clone has none", () => {
  const build = { version: "1.2.3", revision: "abcdef1", nodeVersion: "v24.0.0" };
  expect(versionText(build)).toBe("avax-exporter 1.2.3 (abcdef1), node v24.0.0");
  expect(versionText({ ...build, buildDate: "2026-01-05T08:00:00Z" })).toBe(
    "avax-exporter 1.2.3 (abcdef1, built 2026-01-05T08:00:00Z), node v24.0.0",
  );
  expect(aboutOf({ nodeVersion: "v24" }).buildDate).toBeUndefined();
});
