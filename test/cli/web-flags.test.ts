import { expect, it } from "vitest";
import { webFlagsProblem } from "../../src/cli/web-flags.ts";

it.each(["/metrics", "/", "/a/b-c"])("the telemetry path may be %s", (path) => {
  expect(webFlagsProblem({ "web.telemetry-path": path })).toBeUndefined();
});

it.each(["metrics", "", "/a b", "/a?b=c", "/a#b"])("the telemetry path %j would never be found", (path) => {
  expect(webFlagsProblem({ "web.telemetry-path": path })).toBe(
    `--web.telemetry-path is a path such as /metrics, not ${JSON.stringify(path)}`,
  );
});

it("the number of scrapes is a number", () => {
  for (const most of ["0", "40"]) expect(webFlagsProblem({ "web.max-requests": most })).toBeUndefined();
  for (const most of ["-1", "many", "1.5", ""]) {
    expect(webFlagsProblem({ "web.max-requests": most })).toBe(
      `--web.max-requests is a number, 0 for no limit, not ${JSON.stringify(most)}`,
    );
  }
});
