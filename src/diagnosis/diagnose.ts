import { runbookUrl } from "../definitions/alerts.ts";
import { health } from "../topics/node/health.ts";
import type { Severity } from "../catalogue/alert.ts";
import { evaluate } from "../promql/evaluate.ts";
import { PromqlError } from "../promql/expression.ts";
import { labelsOf, type Labels, type Sample } from "../promql/sample.ts";
import type { Work } from "../runtime/work.ts";
import { evidenceFor } from "./evidence.ts";
import type { Diagnosis, Finding } from "./finding.ts";
import type { Rule, Rules } from "./rules.ts";
import type { Samples } from "./samples.ts";
import { expand } from "./template.ts";

export const SEVERITIES = ["critical", "warning", "info"] as const satisfies readonly Severity[];

/** The metric of a node's own health report. */
export const OWN_HEALTH = health.metrics.healthy.name;

/** Limits for one alert: listed findings, and findings with evidence. The counts include all. */
const LISTED = 1_000;
const WITH_EVIDENCE = 50;

/** Evaluates every rule on the samples, in steps. `who` names the exporter in texts, where Prometheus uses its address. */
export function* diagnose({ rules, needHistory, ofPrometheus }: Rules, samples: Samples, who: string): Work<Diagnosis> {
  const counts: Record<Severity, number> = { critical: 0, warning: 0, info: 0 };
  const failed: Array<{ alert: string; why: string }> = [];
  const found: Array<readonly [rule: Rule, finding: Finding]> = [];
  for (const rule of rules) {
    const { name, severity } = rule.alert;
    try {
      const value = yield* evaluate(rule.condition, samples);
      if (typeof value === "number") throw new PromqlError("the condition is a number");
      counts[severity] += value.length;
      for (const [index, sample] of value.slice(0, LISTED).entries()) {
        found.push([rule, yield* findingOf(rule, sample, samples, who, index < WITH_EVIDENCE)]);
        if (index % 100 === 99) yield;
      }
    } catch (error) {
      // An alert that cannot be evaluated or rendered must not hide the others.
      if (!(error instanceof PromqlError || error instanceof RangeError)) throw error;
      failed.push({ alert: name, why: error.message });
    }
    yield;
  }
  found.sort(([a, one], [b, other]) => byUrgency(one, other) || a.index - b.index);
  return {
    at: samples.now,
    findings: found.map(([, finding]) => finding),
    counts,
    claims: yield* claimsOf(samples),
    judged: rules.length - failed.length,
    needHistory,
    ofPrometheus,
    failed,
  };
}

function* claimsOf(samples: Samples): Work<Readonly<Record<string, boolean>>> {
  const reported = yield* samples.samples(OWN_HEALTH);
  return Object.fromEntries(reported.map((sample) => [labelsOf(sample).get("node") ?? "", sample.value === 1]));
}

function byUrgency(a: Finding, b: Finding): number {
  const severity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  const [one, other] = [subjectOf(a), subjectOf(b)];
  return severity !== 0 ? severity : one < other ? -1 : one > other ? 1 : 0;
}

/** The node of a finding, otherwise its network, otherwise "". */
export function subjectOf({ labels }: Finding): string {
  return labels["node"] ?? labels["network"] ?? "";
}

function* findingOf(
  { alert, selectors }: Rule,
  sample: Sample,
  samples: Samples,
  who: string,
  withEvidence: boolean,
): Work<Finding> {
  const labels = labelsOf(sample);
  const named: Labels = new Map([["instance", who], ...labels]);
  return {
    alert: alert.name,
    severity: alert.severity,
    for: alert.for,
    labels: Object.fromEntries(labels),
    value: sample.value,
    summary: yield* expand(alert.summary, { labels: named, value: sample.value, samples }),
    meaning: alert.runbook.meaning,
    action: alert.runbook.action,
    runbook: runbookUrl(alert.name),
    evidence: withEvidence ? yield* evidenceFor(selectors, labels, samples) : [],
  };
}
