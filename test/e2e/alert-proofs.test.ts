import { expect, test } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { PROOFS } from "./support/alert-proofs.ts";

/** `npm run test:alerts` (`all-alerts.long.ts`) makes them fire in minutes; this test only finds missing ones. */

test("every alert has a scenario that makes it fire in support/alert-proofs.ts, or a reason there why none can", () => {
  expect(Object.keys(PROOFS).sort()).toEqual(ALERTS.map(({ name }) => name).sort());
});

test("few alerts have only promtool's proof, each with a reason", () => {
  const reasons = Object.values(PROOFS).flatMap((proof) => ("promtoolOnly" in proof ? [proof.promtoolOnly] : []));
  expect(reasons.length).toBeLessThanOrEqual(5);
  for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});
