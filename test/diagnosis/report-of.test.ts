import { describe, expect, it } from "vitest";
import { countProblems } from "../../src/diagnosis/count-problems.ts";
import type { Consequence, Finding, Problem, DiagnosisReport } from "../../src/diagnosis/finding.ts";
import { reportOf, summaryOf } from "../../src/diagnosis/report-of.ts";
import { rounded } from "../../src/diagnosis/wording.ts";
import type { TargetStatus } from "../../src/poller/poll/status.ts";

const AT = 1_800_000_000;

function finding(alert: string, severity: Finding["severity"], labels: Finding["labels"]): Finding {
  return {
    alert,
    severity,
    labels,
    for: "5m",
    state: "firing",
    value: 1,
    summary: `${labels["node"] ?? ""} has ${alert}`,
    meaning: `Meaning of ${alert}.`,
    action: `What to do about ${alert}.`,
    runbook: "",
    runbookPath: "",
    evidence: [{ series: `avax_${alert}{node="${labels["node"] ?? ""}"}`, value: 1, words: undefined }],
  };
}

function problem(
  alert: string,
  severity: Finding["severity"],
  labels: Finding["labels"],
  consequences: readonly Consequence[] = [],
): Problem {
  return { ...finding(alert, severity, labels), consequences, consequenceCount: consequences.length };
}

function consequence(alert: string, labels: Finding["labels"], why: string): Consequence {
  return { ...finding(alert, "warning", labels), explainedBy: "AvaxA", why };
}

const answering = (name: string): TargetStatus => ({
  name,
  url: `http://${name}:9650`,
  network: "n",
  nodeId: `NodeID-${name}`,
  up: true,
  endpoints: [],
});

function reportFor(
  problems: readonly Problem[],
  targets: readonly TargetStatus[],
  over: Partial<DiagnosisReport> = {},
): DiagnosisReport {
  const groups = problems.map((cause) => ({
    cause,
    consequences: cause.consequences.map((each) => ({
      finding: each,
      by: { alert: "AvaxA" as const, equal: [], why: each.why },
    })),
  }));
  const counted = countProblems(groups);
  const claims = Object.fromEntries(targets.map(({ name }) => [name, true]));
  return {
    status: { now: AT, startedAt: AT, networks: [], targets },
    unknown: [],
    diagnosis: {
      at: AT,
      problems,
      ...counted,
      claims,
      overview: {},
      subnetNames: {},
      topUps: {},
      judged: 50,
      ofPrometheus: ["X"],
      failed: [],
    },
    nodes: targets,
    took: 3.21,
    complete: true,
    ...over,
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index + 1}`);

describe("a report", () => {
  it("lists what follows from a problem under it, with each reason once, and counts problems alone", () => {
    const late = "The node is down, so its data age.";
    const consequences = [
      consequence("AvaxB", { node: "n2" }, late),
      consequence("AvaxC", { node: "n2" }, late),
      consequence("AvaxD", { node: "n3" }, "The node does not answer."),
    ];
    const problems = [
      problem("AvaxA", "critical", { node: "n2" }, consequences),
      problem("AvaxE", "warning", { node: "n2" }),
      problem("AvaxF", "none", { node: "n2" }, [consequence("AvaxG", { node: "n2" }, "It starts.")]),
    ];
    const text = reportOf(reportFor(problems, names(4).map(answering)), false);
    expect(text).toContain(
      [
        "n2: reports itself healthy, but has 1 critical problem",
        "  n, NodeID-n2, http://n2:9650",
        "",
        "  CRITICAL n2 has AvaxA",
        '    data    avax_AvaxA{node="n2"} 1',
        "    means   Meaning of AvaxA.",
        "    do      What to do about AvaxA.",
        "    more    docs/runbooks/AvaxA.md; the alert fires after 5 min",
        "    follows 3 consequences",
        "            The node is down, so its data age.",
        "            - n2 has AvaxB",
        "            - n2 has AvaxC",
        "            The node does not answer.",
        "            - n3 has AvaxD",
        "",
        "  WARNING n2 has AvaxE",
      ].join("\n"),
    );
    expect(text).toContain(
      [
        "  STATE   n2 has AvaxF",
        '    data    avax_AvaxF{node="n2"} 1',
        "    means   Meaning of AvaxF.",
        "    do      What to do about AvaxF.",
        "    more    docs/runbooks/AvaxF.md; a state that is not sent as an alert",
        "    follows 1 consequence",
        "            It starts.",
        "            - n2 has AvaxG",
        "",
        "No problems on n1, n4",
        "",
      ].join("\n"),
    );
    expect(text).toMatch(
      /\nVerdict: 1 critical, 1 warning, 1 info \(and 4 consequences\)\. Reported healthy\s+despite critical problems: n2\n$/,
    );
  });

  it("folds many consequences, and counts those that are not listed", () => {
    const consequences = Array.from({ length: 9 }, (_, index) => consequence(`AvaxB${index}`, { node: "n1" }, "Why."));
    const cause = { ...problem("AvaxA", "warning", { node: "n1" }, consequences), consequenceCount: 5_000 };
    const text = reportOf(reportFor([cause], names(1).map(answering)), false);
    expect(text).toContain("    follows 5000 consequences\n            Why.\n            - n1 has AvaxB0\n");
    expect(text).toContain("            - n1 has AvaxB5\n            and 4994 more\n");
    expect(text).not.toContain("AvaxB6");
    expect(text).toMatch(/\nVerdict: no critical problems; 1 warning \(and 9 consequences\)\n$/);
    const pages = { ...cause, consequences: consequences.map((each) => ({ ...each, severity: "critical" as const })) };
    expect(reportOf(reportFor([pages], names(1).map(answering)), false)).toContain("- n1 has AvaxB8\n");
  });

  it("of a thousand nodes lists the alerts, worst first, on one page", () => {
    const nodes = names(1000);
    const problems = [
      ...nodes.map((node) => problem("AvaxA", "critical", { node })),
      ...nodes
        .slice(0, 40)
        .flatMap((node) => [
          problem("AvaxB", "warning", { node, chain: "P" }),
          problem("AvaxB", "warning", { node, chain: "C" }),
        ]),
    ];
    const text = reportOf(reportFor(problems, nodes.map(answering)), false);
    expect(text.split("\n").length).toBeLessThan(45);
    const [worst, next] = [
      text.indexOf("AvaxA: 1000 findings on 1000 nodes"),
      text.indexOf("AvaxB: 80 findings on 40"),
    ];
    expect(worst).toBeGreaterThan(0);
    expect(next).toBeGreaterThan(worst);
    expect(text).toContain("  CRITICAL n3 has AvaxA\n");
    expect(text).not.toContain("n4 has AvaxA");
    expect(text).toContain("    also    n4, n5, n6, n7, n8, n9, n10, n11, n12, n13 and 987 more\n");
    expect(text.match(/Meaning of AvaxA/g)).toHaveLength(1);
    expect(text).toMatch(/\nVerdict: 1000 critical, 80 warnings\. [^.]*n10\s+and 990 more\n$/);
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
    const about = text.slice(text.indexOf("Not observed:"), text.indexOf("  - judged by Prometheus"));
    expect(about.match(/ {2}- /g)).toHaveLength(1);
    expect(about.replaceAll(/\s+/g, " ")).toContain("n10 and 490 more: all 2 polls: timeout: ");
  });

  it("lists a reason of failed polls of a node once", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const state = { key: "", every: 30, failures: 1, next: undefined, lastAttempt: AT, lastSuccess: undefined };
    const endpoints = ids.map((id, index) => ({
      ...{ ...state, id, state: index === 4 ? ("ok" as const) : ("failing" as const) },
      error: index === 4 ? undefined : { reason: index < 3 ? ("not_json" as const) : ("reset" as const), message: "" },
    }));
    const text = reportOf(reportFor([], [{ ...answering("n1"), endpoints }]), false).replaceAll(/\s+/g, " ");
    expect(text).toContain(
      "- n1: a, b, c: not_json: the body is not JSON; check that the URL points to an Avalanche node - n1: d: reset: ",
    );
  });

  it("has a short form with one line for each problem", () => {
    const problems = [
      problem("AvaxA", "critical", { node: "n1" }),
      ...names(11).map((node) => problem("AvaxB", "warning", { node })),
    ];
    const text = summaryOf(reportFor(problems, names(11).map(answering)), false);
    expect(text.split("\n").slice(0, 2)).toEqual(["  critical n1 has AvaxA", "  warning n1 has AvaxB"]);
    expect(text).toContain("\n  and 2 more problems\nVerdict: 1 critical, 11 warnings. ");
    const two = summaryOf(reportFor(problems.slice(0, 11), names(11).map(answering)), false);
    expect(two).toContain("\n  and 1 more problem\n");
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

it.each([
  [3, "3"],
  [0.0123456, "0.01235"],
  [-12.98765, "-12.99"],
  [1234.5678, "1235"],
  [1_800_000_000.25, "1800000000"],
  [Infinity, "Infinity"],
])("rounds the value %d to %s", (value, text) => {
  expect(rounded(value)).toBe(text);
});
