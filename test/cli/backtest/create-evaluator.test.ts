import { expect, it } from "vitest";
import { createEvaluator } from "../../../src/cli/backtest/create-evaluator.ts";
import { PrometheusError, type PrometheusClient } from "../../../src/cli/report/prometheus-client.ts";
import { ALERT_GROUPS } from "../../../src/topics/all/alerts.ts";
import { parseMatchers } from "../../../src/cli/text/matchers.ts";

const STEP = 60;
const UNTIL = 30 * 86_400;
const FROM = UNTIL - 86_400 * 20;

it("asks for pieces without a gap, smaller ones where they are too much, from before the period on", async () => {
  const asked: Array<readonly [string, number, number]> = [];
  const client: PrometheusClient = {
    instant: () => Promise.resolve([]),
    alertNames: () => Promise.resolve(undefined),
    seriesNames: () => Promise.resolve(undefined),
    range(expr, from, until) {
      if ((until - from) / STEP >= 4_000) return Promise.reject(new PrometheusError("too many samples", true));
      asked.push([expr, from, until]);
      // The condition holds from before the period to its middle, in every piece.
      const points = Array.from({ length: (until - from) / STEP + 1 }, (_, index) => from + index * STEP);
      const samples = points.filter((at) => at <= FROM + 86_400).map((at) => [at, 1] as const);
      return Promise.resolve(samples.length === 0 ? [] : [{ labels: { node: "a" }, samples }]);
    },
  };
  const scope = { from: FROM, until: UNTIL, step: STEP, matchers: parseMatchers('job="mine"') ?? [] };
  const group = ALERT_GROUPS.find(({ id }) => id === "node-down");
  const groups = [{ id: "x", about: "", alerts: (group?.alerts ?? []).filter(({ name }) => name === "AvaxNodeDown") }];
  const { outcomes } = await createEvaluator(client, scope, () => undefined).evaluate(groups, 0);
  // Before the period: 10 min of `for`, and the minute for which it lasts longer than its condition.
  expect(asked[0]?.[1]).toBe(FROM - 660 + STEP);
  expect(asked.at(-1)?.[2]).toBe(UNTIL);
  for (const [index, [expr, from]] of asked.entries()) {
    if (index > 0) expect(from).toBe((asked[index - 1]?.[2] ?? 0) + STEP);
    expect(expr).toContain('avax_node_outage{job="mine",');
  }
  const fired = {
    alert: "AvaxNodeDown",
    labels: { node: "a", job: "mine" },
    from: FROM,
    until: FROM + 86_400 + 2 * STEP,
  };
  expect(outcomes).toMatchObject([{ ...fired, sentAt: FROM + 45 }]);
});
