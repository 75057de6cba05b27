import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { createLoopUtilization } from "../../src/runtime/loop-utilization.ts";

it("is the share of time in which the event loop was busy since the previous call", async () => {
  const utilization = createLoopUtilization();
  if (utilization === undefined) throw new Error("Node.js measures it");
  const end = performance.now() + 100;
  while (performance.now() < end);
  const busy = utilization();
  await pause(300);
  const idle = utilization();
  expect(busy).toBeGreaterThan(0.9);
  expect(idle).toBeLessThan(busy);
  expect(idle).toBeGreaterThanOrEqual(0);
});
