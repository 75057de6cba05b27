import { expect, it } from "vitest";
import { runSoak } from "./soak/soak.ts";

/** The quick form of `npm run soak`: half an hour of faults, 40 times as fast. */

const OPTIONS = { hours: 0.5, nodes: 6, speed: 40, seed: 7 };

it("half an hour of faults ends where it began", { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  const checks = await runSoak(OPTIONS, (line) => void lines.push(line));
  expect(checks.length).toBeGreaterThan(10);
  expect(
    checks.filter(({ ok }) => !ok),
    lines.join("\n"),
  ).toEqual([]);
});
