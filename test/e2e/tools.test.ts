import { afterEach, expect, it, vi } from "vitest";
import { requireTool } from "./support/tools.ts";

afterEach(() => void vi.unstubAllEnvs());

it("finds a tool in PATH", () => {
  expect(requireTool("promtool")).toMatch(/\/promtool$/);
});

it("names a tool that is missing, and how to get it", () => {
  vi.stubEnv("PATH", "/nowhere");
  expect(() => requireTool("prometheus")).toThrow(
    /need the program prometheus, .*apt-get install --no-install-recommends prometheus/,
  );
});
