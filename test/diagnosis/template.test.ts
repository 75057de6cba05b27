import { expect, it, test } from "vitest";
import { SUBNET } from "../../src/topics/define/alert-texts.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { humanizeDuration } from "../../src/diagnosis/humanize.ts";
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
  [{ network: "n", subnet: 'quo"ted' }, 'a "b"'],
  [{ subnet: "S9" }, "S9"],
])("the subnet of %j is %s", (labels, name) => {
  expect(expanded(`subnet ${SUBNET} is low`, labels)).toBe(`subnet ${name} is low`);
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
  "{{ if lt $value 3 }}{{ end }}",
  '{{ range $at, $check := query "check" }}{{ if lt $at 3.0 }}{{ end }}{{ end }}',
  '{{ range query "check" }}{{ $at }}{{ end }}',
])("refuses %s, as Prometheus does", (template) => {
  const samples = samplesOf(() => ['check{node="a"} 1\n'], 60);
  expect(() => expand(template, { labels: new Map(), value: 1, samples })).toThrow(RangeError);
});
