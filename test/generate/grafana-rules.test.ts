import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { grafanaRules } from "../../generate/rules/grafana-rules.ts";
import { promqlOf, seriesOf } from "../../src/topics/define/condition.ts";
import { ALERT_GROUPS, ALERTS, alertGroups } from "../../src/topics/all/alerts.ts";
import { parsePromql } from "./promql.ts";

/** Durations as Grafana reads them: those of Prometheus. */
const duration = z.string().regex(/^(?:0|(?:\d+[smhdwy])+)$/);
const window = z.strictObject({ from: z.int().min(0), to: z.int().min(0) });
const texts = z.record(z.string(), z.string());

const query = z.strictObject({
  refId: z.literal("A"),
  relativeTimeRange: window,
  datasourceUid: z.string().regex(/^[\w-]{1,40}$/),
  model: z.strictObject({
    refId: z.literal("A"),
    datasource: z.strictObject({ type: z.literal("prometheus"), uid: z.string() }),
    expr: z.string().min(1),
    instant: z.literal(true),
    range: z.literal(false),
    editorMode: z.enum(["code", "builder"]),
    intervalMs: z.int(),
    maxDataPoints: z.int(),
  }),
});
/** "threshold expression requires exactly one condition". */
const threshold = z.strictObject({
  refId: z.literal("B"),
  relativeTimeRange: window,
  datasourceUid: z.literal("__expr__"),
  model: z.strictObject({
    refId: z.literal("B"),
    type: z.literal("threshold"),
    expression: z.literal("A"),
    datasource: z.strictObject({ type: z.literal("__expr__"), uid: z.literal("__expr__") }),
    conditions: z.tuple([
      z.strictObject({
        evaluator: z.discriminatedUnion("type", [
          z.strictObject({ type: z.enum(["gt", "lt"]), params: z.tuple([z.number()]) }),
          z.strictObject({
            type: z.enum(["within_range", "outside_range"]),
            params: z.tuple([z.number(), z.number()]),
          }),
        ]),
      }),
    ]),
    intervalMs: z.int(),
    maxDataPoints: z.int(),
  }),
});

/** The part of "Create and manage alerting resources using file provisioning" of Grafana's documentation that is about rules. */
const FILE = z.strictObject({
  apiVersion: z.literal(1),
  groups: z.array(
    z.strictObject({
      orgId: z.int().min(1),
      name: z.string().min(1).max(190),
      folder: z.string().min(1),
      // A multiple of ten seconds.
      interval: z.string().regex(/^\d*0s$/),
      rules: z
        .array(
          z.strictObject({
            uid: z.string().regex(/^[\w-]{1,40}$/),
            title: z.string().min(1).max(190),
            condition: z.literal("B"),
            data: z.tuple([query, threshold]),
            noDataState: z.enum(["NoData", "Alerting", "OK", "KeepLast"]),
            execErrState: z.enum(["Error", "Alerting", "OK", "KeepLast"]),
            for: duration,
            keepFiringFor: duration.optional(),
            labels: texts,
            annotations: texts,
          }),
        )
        .min(1),
    }),
  ),
});

const rulesIn = (text: string) => FILE.parse(parse(text)).groups.flatMap(({ rules }) => rules);
const RULES = rulesIn(grafanaRules(ALERT_GROUPS));
const ruleOf = (name: string, rules = RULES) => {
  const rule = rules.find(({ title }) => title === name);
  const [asked, compared] = rule?.data ?? [];
  return { ...rule, expr: asked?.model.expr, evaluator: compared?.model.conditions[0].evaluator };
};

describe("the provisioning file of Grafana", () => {
  it("has the form of Grafana's documentation, and each alert that is sent once", () => {
    const sent = ALERTS.filter(({ severity }) => severity !== "none").map(({ name }) => name);
    expect(RULES.map(({ uid }) => uid)).toEqual(sent);
  });

  it("asks valid PromQL, without recordings", () => {
    const wrong = RULES.filter(({ data: [asked] }) => {
      const { errors, selectors } = parsePromql(asked.model.expr);
      return errors.length > 0 || selectors.some(({ name }) => name.includes(":"));
    });
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  it("asks for the value and compares it, a ratio in percent", () => {
    expect(ruleOf("AvaxNodeDiskLow")).toMatchObject({
      expr: "100 * min without (instance)(avax_node_disk_available_ratio)",
      evaluator: { type: "lt", params: [15] },
      for: "5m",
      labels: { severity: "warning" },
    });
    expect(ruleOf("AvaxHealthFrozen")).toMatchObject({
      expr: "time() - min without (instance)(avax_node_health_last_run_timestamp_seconds)",
      evaluator: { type: "gt", params: [180] },
    });
    expect(ruleOf("AvaxHostedKeyRefused").evaluator).toEqual({ type: "within_range", params: [-0.5, 0.5] });
  });

  it("asks for what the rules of Prometheus compare, and compares it with the same limits", () => {
    const held = { gt: [">", ">="], lt: ["<"], within_range: ["=="], outside_range: [] } as const;
    for (const { name, when, settings, severity } of ALERTS) {
      if (when === undefined || "promql" in when || severity === "none") continue;
      const { expr = "", evaluator } = ruleOf(name);
      const whole = promqlOf(when, { settings, isPage: severity === "critical", more: [] });
      const [operator = "", limit = ""] = whole.slice(expr.length + 1).split(" ");
      expect(whole.startsWith(`${expr} `)).toBe(true);
      expect(held[evaluator?.type ?? "outside_range"]).toContain(operator);
      // A whole number is at least another one where it is more than half a step below it.
      const step = operator === ">" || operator === "<" ? 0 : 0.5;
      expect(evaluator?.params).toEqual([Number(limit) - step, ...(operator === "==" ? [Number(limit) + step] : [])]);
    }
  });

  it("compares states and counts where the comparison is not strict", () => {
    const whole = ALERTS.flatMap(({ when }) =>
      when === undefined || "promql" in when || !("equals" in when || "atLeast" in when)
        ? []
        : [seriesOf(when).metric.name],
    );
    expect(whole).not.toEqual([]);
    expect(whole.filter((name) => /_(seconds|ratio|bytes|avax)$/.test(name))).toEqual([]);
  });

  it("takes every result of PromQL that filters, with the expressions of recordings in it", () => {
    const { expr, evaluator } = ruleOf("AvaxNodeMessagesThrottled");
    expect(expr).toContain("rate(avalanche_network_disk_throttler_total_waits[15m])");
    expect(expr).toMatch(/ > 10$/);
    expect(evaluator).toEqual({ type: "gt", params: [-1e300] });
  });

  it("has the thresholds and the matchers of the user", () => {
    const matchers = [{ label: "job", operator: "=", value: "mine" }] as const;
    const rules = rulesIn(grafanaRules(alertGroups(new Map([["disk-low", 0.2]])), { matchers }));
    expect(ruleOf("AvaxNodeDiskLow", rules)).toMatchObject({
      expr: '100 * min without (instance)(avax_node_disk_available_ratio{job="mine"})',
      evaluator: { type: "lt", params: [20] },
      labels: { job: "mine", severity: "warning" },
    });
  });

  it("has texts in Grafana's words, without a dollar, which would be a variable of the environment", () => {
    expect(ruleOf("AvaxNodeDiskLow").annotations?.["summary"]).toBe(
      '{{ (index .Labels "node") }} has {{ .Values.A.Value | printf "%.0f" }} % of its disk left',
    );
    const linked = rulesIn(grafanaRules(ALERT_GROUPS, { dashboards: "https://grafana.example.org" }));
    const old = new Set(ALERTS.filter(({ when }) => when === undefined).map(({ name }) => name as string));
    const wrong = linked.filter(
      ({ title, annotations }) => !old.has(title) && Object.values(annotations).join("").includes("$"),
    );
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });
});
