import { expect, it } from "vitest";
import { runSoak } from "./soak/soak.ts";

/** Three simulated minutes of faults; `npm run soak` has a day of them. The seed is the same in every run. */
it("ends where it began after faults at random nodes", { timeout: 300_000 }, async () => {
  const checks = await runSoak({ hours: 0.05, seed: 20_261_123, nodes: 10, speed: 10 }, () => undefined);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks.length).toBeGreaterThan(10);
});
