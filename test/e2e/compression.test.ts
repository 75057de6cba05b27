import { expect, it } from "vitest";
import { rulesFile } from "../../generate/rules.ts";
import {
  compressDuration,
  compressExpression,
  compressRouting,
  compressRules,
  fastClock,
} from "./support/compression.ts";

const BY_60 = { start: 1_000_000, factor: 60 };

it.each([
  ["1h", "60000ms"],
  ["1h30m", "90000ms"],
  ["2m", "2000ms"],
  ["0m", "0ms"],
  ["10ms", "1ms"],
])("%s becomes %s", (duration, compressed) => {
  expect(compressDuration(duration, BY_60)).toBe(compressed);
});

it("refuses an invalid duration", () => {
  expect(() => compressDuration("soon", BY_60)).toThrow("not a duration: soon");
});

it("translates windows and the time of an expression to the fast clock, and keeps thresholds", () => {
  expect(compressExpression("time() - a > 300 and increase(b_total[15m]) > 0", BY_60)).toBe(
    "(1000 + (time() - 1000) * 60) - a > 300 and increase(b_total[15000ms]) > 0",
  );
});

it("translates offsets, subqueries, changes per second and predictions", () => {
  expect(compressExpression("a offset 1h - b", BY_60)).toBe("a offset 60000ms - b");
  expect(compressExpression("max_over_time(a[1h:5m])", BY_60)).toBe("max_over_time(a[60000ms:5000ms])");
  expect(compressExpression("sum(rate(a[5m])) > 2 * deriv(b[1h])", BY_60)).toBe(
    "sum((rate(a[5000ms]) / 60)) > 2 * (deriv(b[60000ms]) / 60)",
  );
  expect(compressExpression("predict_linear(a[6h], 4 * 3600) < (1)", BY_60)).toBe(
    "predict_linear(a[360000ms], 4 * 3600 / 60) < (1)",
  );
});

it("compresses how long an alert keeps firing", () => {
  const rules = "groups: [{ name: g, rules: [{ alert: A, expr: a > 1, for: 5m, keep_firing_for: 10m }] }]";
  expect(JSON.parse(compressRules(rules, BY_60))).toEqual({
    groups: [{ name: "g", rules: [{ alert: "A", expr: "a > 1", for: "5000ms", keep_firing_for: "10000ms" }] }],
  });
});

it("compresses every rule and loses none", () => {
  const before = rulesFile();
  const after = compressRules(before, BY_60);
  for (const kind of ["alert", "record"])
    expect(after.match(new RegExp(`"${kind}":`, "g"))?.length).toBe(
      before.match(new RegExp(` ${kind}: `, "g"))?.length,
    );
  expect(after).not.toMatch(/\[\d+[smhdwy]\]|"for":"\d+[smh]"/);
});

it("compresses the waits of routing, but not the repeat interval", () => {
  expect(
    compressRouting({ route: { group_wait: "30s", repeat_interval: "4h", routes: [{ group_interval: "5m" }] } }, BY_60),
  ).toEqual({ route: { group_wait: "500ms", repeat_interval: "4h", routes: [{ group_interval: "5000ms" }] } });
});

it("runs fast from the start on", () => {
  expect(fastClock(BY_60, () => 1_001_000)()).toBe(1_060_000);
});
