import { expect, it } from "vitest";
import { before, MOST_POINTS, periodUntil, startOf } from "../../../src/cli/report/report-period.ts";

const DAY = 86_400;

it.each([
  [1 / 24, 60],
  [1, 60],
  [7, 60],
  [14, 120],
  [30, 240],
  [366, 2_880],
])("%d days have points every %d s, no more than Prometheus gives", (days, step) => {
  const period = periodUntil(1_768_176_123, days * DAY);
  expect(period).toMatchObject({ step, reach: Math.max(step, 90) });
  expect(period.length / step).toBeLessThan(MOST_POINTS);
  expect([period.until % step, startOf(period) % step]).toEqual([0, 0]);
  expect(1_768_176_123 - period.until).toBeLessThan(step);
  expect(before(period)).toEqual({ ...period, until: startOf(period) });
});
