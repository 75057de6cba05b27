import { describe, expect, it } from "vitest";
import { SEVERITIES } from "../../src/diagnosis/diagnose.ts";
import type { Finding, Report } from "../../src/diagnosis/finding.ts";
import { reportOf } from "../../src/diagnosis/report.ts";
import type { TargetStatus } from "../../src/poller/poll/status.ts";

const AT = 1_800_000_000;

function finding(alert: string, severity: Finding["severity"], labels: Readonly<Record<string, string>>): Finding {
  return {
    alert,
    severity,
    labels,
    for: "5m",
    value: 1,
    summary: `${labels["node"] ?? ""} has ${alert}`,
    meaning: `Meaning of ${alert}.`,
    action: `What to do about ${alert}.`,
    runbook: "",
    evidence: [{ series: `avax_${alert}{node="${labels["node"] ?? ""}"}`, value: 1, words: undefined }],
  };
}

const answering = (name: string): TargetStatus => ({
  name,
  url: `http://${name}:9650`,
  network: "n",
  nodeId: `NodeID-${name}`,
  up: true,
  endpoints: [],
});

function reportFor(findings: readonly Finding[], targets: readonly TargetStatus[], over: Partial<Report> = {}): Report {
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, findings.filter((each) => each.severity === severity).length]),
  ) as Report["diagnosis"]["counts"];
  const claims = Object.fromEntries(targets.map(({ name }) => [name, true]));
  return {
    status: { now: AT, startedAt: AT, networks: [], targets },
    diagnosis: { at: AT, findings, counts, claims, judged: 50, needHistory: ["X"], ofPrometheus: [], failed: [] },
    nodes: targets,
    took: 3.21,
    complete: true,
    ...over,
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index + 1}`);

describe("a report", () => {
  it("of a few nodes lists the findings of each", () => {
    const text = reportOf(reportFor([finding("AvaxA", "critical", { node: "n2" })], names(3).map(answering)), false);
    expect(text).toContain("n2: reports itself healthy, but has 1 critical problem\n");
    expect(text).toContain("No problems on n1, n3\n");
    expect(text).toMatch(/Verdict: 1 critical\. Reported healthy despite critical problems: n2\n$/);
  });

  it("of a thousand nodes lists the alerts, worst first, on one page", () => {
    const nodes = names(1000);
    const findings = [
      ...nodes.map((node) => finding("AvaxA", "critical", { node })),
      ...nodes
        .slice(0, 40)
        .flatMap((node) => [
          finding("AvaxB", "warning", { node, chain: "P" }),
          finding("AvaxB", "warning", { node, chain: "C" }),
        ]),
    ];
    const text = reportOf(reportFor(findings, nodes.map(answering)), false);
    expect(text.split("\n").length).toBeLessThan(45);
    const [worst, next] = [
      text.indexOf("AvaxA: 1000 findings on 1000 nodes"),
      text.indexOf("AvaxB: 80 findings on 40"),
    ];
    expect(worst).toBeGreaterThan(0);
    expect(next).toBeGreaterThan(worst);
    expect(text).toContain("  CRITICAL n3 has AvaxA\n");
    expect(text).not.toContain("n4 has AvaxA");
    expect(text).toContain("    also   n4, n5, n6, n7, n8, n9, n10, n11, n12, n13 and 987 more\n");
    expect(text.match(/Meaning of AvaxA/g)).toHaveLength(1);
    expect(text.trimEnd().split("\n").at(-1)).toMatch(/^Verdict: 1000 critical, 80 warning\. .*n10 and 990 more$/);
  });

  it("lists an endpoint that fails on many nodes once", () => {
    const silent = (name: string): TargetStatus => ({
      ...answering(name),
      endpoints: ["info.peers", "health"].map((id) => ({
        ...{ id, key: "", state: "failing" as const, every: 30, failures: 1, next: undefined },
        ...{ lastAttempt: AT, lastSuccess: undefined, error: { reason: "timeout" as const, message: "late" } },
      })),
    });
    const text = reportOf(reportFor([], names(500).map(silent)), false);
    const about = text.slice(text.indexOf("Not observed:"), text.indexOf("  - conditions"));
    expect(about.match(/ {2}- /g)).toHaveLength(2);
    expect(about.replaceAll(/\s+/g, " ")).toContain("n10 and 490 more: info.peers: timeout: ");
  });

  it("does not call unobserved nodes healthy", () => {
    const [observed = "", unknown = "", missing = ""] = names(3);
    const targets = [answering(observed), { ...answering(unknown), up: undefined }];
    const nodes = [observed, unknown, missing].map((name) => ({ name }));
    const text = reportOf(reportFor([], targets, { nodes, complete: false }), false);
    expect(text).toContain("No problems on n1\n");
    expect(text).toContain("  - 2 nodes: n2, n3\n");
    expect(text).toMatch(/Verdict: no problems found; 2 of 3 nodes not observed\n$/);
  });
});
