import { expect, it } from "vitest";
import { rulesFile } from "../../generate/rules/rules.ts";
import { compressExpression, compressRules } from "./support/compression.ts";

const BY_60 = { start: 1_000_000, factor: 60 };

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

it("compresses every rule and loses none", () => {
  const before = rulesFile();
  const after = compressRules(before, BY_60);
  for (const kind of ["alert", "record"])
    expect(after.match(new RegExp(`"${kind}":`, "g"))?.length).toBe(
      before.match(new RegExp(` ${kind}: `, "g"))?.length,
    );
  expect(after).not.toMatch(/\[\d+[smhdwy]\]|"for":"\d+[smh]"/);
});
