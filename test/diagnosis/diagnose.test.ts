import { expect, test } from "vitest";
import type { Alert } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { diagnose } from "../../src/diagnosis/diagnose.ts";
import type { Diagnosis } from "../../src/diagnosis/finding.ts";
import { rulesOf } from "../../src/diagnosis/rules.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { readingsIn } from "../support/readings.ts";

const [MODEL] = ALERTS;

function alert(name: Alert["name"], over: Partial<Alert> & Pick<Alert, "when">): Alert {
  if (MODEL === undefined) throw new Error("no alert");
  return { ...MODEL, name, for: "5m", explainedBy: [], summary: `{{ $labels.node }} has ${name}`, ...over };
}

const of = (name: string) => ({ name, labels: [] });
const DOWN = alert("AvaxDown", { severity: "critical", when: { of: of("up"), equals: 0 } });
const STARTING = alert("AvaxStarting", { severity: "none", when: { of: of("starting"), equals: 1 } });
const STALE = alert("AvaxStale", {
  severity: "warning",
  when: { of: of("age"), above: 60 },
  explainedBy: [
    { alert: "AvaxDown", equal: ["job", "node"], why: "The node does not answer." },
    { alert: "AvaxStarting", equal: ["job", "node"], why: "The node starts." },
  ],
});

function diagnosed(text: string, alerts: readonly Alert[] = [DOWN, STARTING, STALE]): Diagnosis {
  return diagnose(rulesOf(alerts), samplesOf(readingsIn(text), 1_800_000_000), "this exporter").diagnosis;
}

const shape = ({ problems }: Diagnosis): unknown =>
  problems.map(({ summary, consequences }) => [summary, consequences.map((each) => each.summary)]);

test("findings are listed under their cause, and causes are counted by severity", () => {
  const found = diagnosed(
    `up{node="a"} 0
up{node="b"} 1
age{node="a",endpoint="x"} 90
age{node="a",endpoint="y"} 91
age{node="b",endpoint="x"} 92
age{node="c",endpoint="x"} 93
starting{node="c"} 1
starting{node="d"} 1
avax_node_healthy{node="b"} 1
`,
  );
  expect(shape(found)).toEqual([
    ["a has AvaxDown", ["a has AvaxStale", "a has AvaxStale"]],
    ["b has AvaxStale", []],
    ["c has AvaxStarting", ["c has AvaxStale"]],
  ]);
  expect(found.problems[0]?.consequences[0]).toMatchObject({
    labels: { node: "a", endpoint: "x" },
    value: 90,
    explainedBy: "AvaxDown",
    why: "The node does not answer.",
    evidence: [{ series: 'age{endpoint="x",node="a"}', value: 90 }],
  });
  expect(found.counts).toEqual({ critical: 1, warning: 1, info: 1, pending: 0, consequences: 3 });
  expect(found.byNode).toEqual({
    a: { critical: 1, warning: 0, info: 0, pending: 0, consequences: 2 },
    b: { critical: 0, warning: 1, info: 0, pending: 0, consequences: 0 },
    c: { critical: 0, warning: 0, info: 1, pending: 0, consequences: 1 },
  });
  expect([found.claims, found.judged, found.failed]).toEqual([{ b: true }, 3, []]);
});

test("the counts include findings that are not listed", () => {
  const nodes = Array.from({ length: 1_300 }, (_, index) => `n${String(index).padStart(4, "0")}`);
  const down = nodes.map((node) => `up{node="${node}"} 0\n`);
  const old = nodes.slice(0, 700).flatMap((node) => [`age{node="${node}"} 99\n`, `age{node="${node}",x="y"} 99\n`]);
  const alone = `age{node="z"} 99\n`;
  const { problems, counts, byNode } = diagnosed([...down, ...old, alone].join(""));
  expect(counts).toEqual({ critical: 1_300, warning: 1, info: 0, pending: 0, consequences: 1_400 });
  expect([problems.length, problems.at(-1)?.summary]).toEqual([1_001, "z has AvaxStale"]);
  const consequences = problems.flatMap((each) => each.consequences);
  // Causes are listed before consequences.
  expect(consequences).toHaveLength(999);
  expect(problems[600]).toMatchObject({ summary: "n0600 has AvaxDown", consequences: [], consequenceCount: 2 });
  expect(byNode["n1299"]).toEqual({ critical: 1, warning: 0, info: 0, pending: 0, consequences: 0 });
  const withEvidence = [...problems, ...consequences].filter(({ evidence }) => evidence.length > 0);
  expect(withEvidence.map(({ alert: name }) => name).filter((name) => name === "AvaxStale")).toHaveLength(50);
});

test("an alert whose title cannot be rendered hides no other, nor what follows from it", () => {
  const odd = { ...DOWN, summary: "{{ $labels.node | title }}" };
  const found = diagnosed('up{node="a"} 0\nage{node="a"} 90\n', [odd, STALE]);
  expect(shape(found)).toEqual([["AvaxDown", ["a has AvaxStale"]]]);
  expect(found.failed.map(({ alert: name }) => name)).toEqual(["AvaxDown"]);
  expect([found.judged, found.counts.critical]).toEqual([1, 1]);
});

test("a finding with the node ID of a polled node is counted at this node, others at none", () => {
  const ending = alert("AvaxEnding", {
    ...{ severity: "warning", summary: "{{ $labels.node_id }} ends" },
    when: { of: of("left"), below: 10 },
  });
  const text = `avax_node_configured{node="a",node_id="NodeID-A"} 1
left{node_id="NodeID-A"} 5
left{node_id="NodeID-B"} 5
`;
  const samples = samplesOf(readingsIn(text), 0);
  const { problems, byNode } = diagnose(rulesOf([ending]), samples, "this exporter").diagnosis;
  expect(problems.map(({ summary, node, labels }) => [summary, node, labels])).toEqual([
    ["NodeID-B ends", undefined, { node_id: "NodeID-B" }],
    ["NodeID-A ends", "a", { node_id: "NodeID-A" }],
  ]);
  expect(byNode).toEqual({ a: { critical: 0, warning: 1, info: 0, pending: 0, consequences: 0 } });
  expect(problems[0]).toMatchObject({
    runbook: expect.stringMatching(/\/AvaxEnding\.md$/) as string,
    runbookPath: "/runbooks/AvaxEnding",
  });
});
