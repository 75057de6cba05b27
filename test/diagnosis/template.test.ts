import { expect, it, test } from "vitest";
import { failingChecks, SUBNET } from "../../src/topics/define/alert-texts.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { humanize, humanizeDuration, humanizePercentage } from "../../src/diagnosis/humanize.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { expand } from "../../src/diagnosis/template.ts";

test.each([
  [0, "0s"],
  [0.0123, "12.3ms"],
  [12.3456, "12.35s"],
  [-179.9, "-2m 59s"],
  [61, "1m 1s"],
  [3_600, "1h 0m 0s"],
  [90_061, "1d 1h 1m 1s"],
  [NaN, "NaN"],
  [Infinity, "+Inf"],
])("%d s is %s", (value, text) => {
  expect(humanizeDuration(value)).toBe(text);
});

test.each([
  [0, "0"],
  [1, "1"],
  [12.3456, "12.35"],
  [999.9, "999.9"],
  [1_234.5, "1.234k"],
  [-5_600_000, "-5.6M"],
  [0.5, "500m"],
  [0.000012, "12u"],
])("%d is %s", (value, text) => {
  expect(humanize(value)).toBe(text);
});

test.each([
  [0.07999, "7.999%"],
  [1, "100%"],
  [0.000001, "0.0001%"],
  [123, "1.23e+04%"],
])("%d as a percentage is %s", (value, text) => {
  expect(humanizePercentage(value)).toBe(text);
});

it("inserts labels and the value; a missing label is empty", () => {
  const labels = new Map([["node", "a"]]);
  expect(
    expand(
      '{{ $labels.node }}{{ $labels.chain }} is {{ $value }} ({{ $value | humanizeDuration }}, {{ $value | printf "%.1f" }})',
      {
        labels,
        value: 90,
      },
    ),
  ).toBe("a is 90 (1m 30s, 90.0)");
});

it("expands every summary, and rejects unsupported functions", () => {
  for (const { summary } of ALERTS) expect(expand(summary, { labels: new Map(), value: 1.5 })).not.toContain("{{");
  expect(() => expand("{{ $value | humanize1024 }}", { labels: new Map(), value: 1 })).toThrow(RangeError);
});

test("a choice by the sign of the value takes one of its texts", () => {
  const template = "{{ if lt $value 0.0 }}is active{{ else }}activates in {{ $value | humanizeDuration }}{{ end }}";
  const labels = new Map<string, string>();
  expect(expand(template, { labels, value: -1 })).toBe("is active");
  expect(expand(template, { labels, value: 61 })).toBe("activates in 1m 1s");
});

const LINES = `
avax_subnet_info{network="n",subnet="S1",name="gaming"} 1
avax_subnet_info{network="n",subnet="S2",name=""} 1
avax_subnet_info{network="other",subnet="S1",name="else"} 1
avax_subnet_info{network="n",subnet="quo\\"ted",name="a \\"b\\""} 1
check{node="a",check="network"} 0
check{node="a",check="diskspace"} 0
check{node="a",check="bls"} 1
check{node="b",check="router"} 0
`;
const samples = samplesOf(() => [LINES], 0);
const expanded = (template: string, labels: Readonly<Record<string, string>>, value = 1) =>
  expand(template, { labels: new Map(Object.entries(labels)), value, samples });

test.each([
  [{ network: "n", subnet: "S1" }, "gaming"],
  [{ network: "other", subnet: "S1" }, "else"],
  [{ network: "n", subnet: "S2" }, "S2"],
  [{ network: "n", subnet: "unknown" }, "unknown"],
  [{ network: "n", subnet: "primary" }, "primary"],
  [{ network: "n", subnet: 'quo"ted' }, 'a "b"'],
  [{ subnet: "S1" }, "S1"],
])("the subnet of %j is %s", (labels, name) => {
  expect(expanded(`subnet ${SUBNET} is low`, labels)).toBe(`subnet ${name} is low`);
});

const FAILING =
  'Failing:{{ range printf "check{node=%q,instance=%q,job=%q} == 0" $labels.node $labels.instance $labels.job | query | sortByLabel "check" }} {{ .Labels.check }}{{ end }}.';

test.each([
  ["a", "Failing: diskspace network."],
  ["b", "Failing: router."],
  ["c", "Failing:."],
])("the labels of a result are listed in order, whatever the scrape is called: %s", (node, text) => {
  expect(expanded(FAILING, { node, instance: "e:9750", job: "avax" })).toBe(text);
});

test.each([
  ['{{ with query "check{node=\\"b\\"}" }}{{ range . }}{{ .Labels.check }}={{ .Value }}{{ end }}{{ end }}', "router=0"],
  ['{{ query "check{node=\\"b\\"}" | first | value | printf "%.1f" }}', "0.0"],
  ["{{ if gt $value 0.5 }}much{{ else }}{{ if lt $value 0.0 }}less{{ else }}little{{ end }}{{ end }}", "much"],
  ['{{ printf "%s has %.2f %%, %v" $labels.node $value $labels.node }}', "a has 1.00 %, a"],
  ["{{ with $labels.missing }}x{{ end }}", ""],
])("%s is %s", (template, text) => {
  expect(expanded(template, { node: "a" })).toBe(text);
});

test.each([
  "{{ $labels.node",
  "{{ if lt $value 0.0 }}without an end",
  "{{ end }}",
  "{{ if lt $value 0 }}a number of another type{{ end }}",
  '{{ query "nothing" | first | label "name" }}',
  '{{ printf "%d" $value }}',
  '{{ printf "%s" $labels.node $value }}',
  '{{ query "check" }}',
  "{{ .Labels.check }}",
  '{{ with query "check" }}{{ .Labels.check }}{{ end }}',
  "{{ range $labels.node }}{{ end }}",
  '{{ query "1" }}',
])("%s is rejected", (template) => {
  expect(() => expanded(template, { node: "a" })).toThrow(RangeError);
});

test.each([
  [[], "a is unhealthy"],
  [["bls"], "a is unhealthy: bls"],
  [["router", "bls", "network"], "a is unhealthy: bls, network, router"],
  [["router", "bls", "network", "C"], "a is unhealthy: C, bls, network and 1 more"],
  [["router", "bls", "network", "C", "P"], "a is unhealthy: C, P, bls and 2 more"],
])("names the first failing checks of %j", (checks, text) => {
  const lines = [...checks.map((check) => [check, 0] as const), ["passing", 1] as const].map(
    ([check, value]) => `check{node="a",check="${check}"} ${value}\ncheck{node="b",check="of-b"} 0\n`,
  );
  const samples = samplesOf(() => [[...new Set(lines)].join("")], 60);
  const template = `a is unhealthy${failingChecks("check{node=%q}", ["node"])}`;
  expect(expand(template, { labels: new Map([["node", "a"]]), value: 1, samples })).toBe(text);
});

test.each([
  "{{ if lt $value 3 }}{{ end }}",
  '{{ range $at, $check := query "check" }}{{ if lt $at 3.0 }}{{ end }}{{ end }}',
  '{{ range query "check" }}{{ $at }}{{ end }}',
])("refuses %s, as Prometheus does", (template) => {
  const samples = samplesOf(() => ['check{node="a"} 1\n'], 60);
  expect(() => expand(template, { labels: new Map(), value: 1, samples })).toThrow(RangeError);
});
