import { expect, it, test } from "vitest";
import { SUBNET } from "../../src/topics/define/alert-texts.ts";
import { humanizeDuration } from "../../src/diagnosis/humanize.ts";
import { rulesOf } from "../../src/diagnosis/rules.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { expand } from "../../src/diagnosis/template.ts";
import { readingsIn } from "../support/readings.ts";

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

it("expands the summary of every alert that is evaluated", () => {
  const samples = samplesOf(readingsIn(), 0);
  for (const { alert } of rulesOf().rules)
    expect(expand(alert.summary, { labels: new Map(), value: 1.5, samples })).not.toContain("{{");
});

const LINES = `
avax_subnet_info{network="n",subnet="quo\\"ted",name="a \\"b\\""} 1
check{node="a",check="bls"} 1
`;
const samples = samplesOf(readingsIn(LINES), 0);
const expanded = (template: string, labels: Readonly<Record<string, string>>) =>
  expand(template, { labels: new Map(Object.entries(labels)), value: 1, samples });

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
  "{{ $value | humanize1024 }}",
  '{{ query "nothing" | first | label "name" }}',
  '{{ printf "%d" $value }}',
  '{{ query "check" }}',
  "{{ .Labels.check }}",
  '{{ with query "check" }}{{ .Labels.check }}{{ end }}',
  "{{ range $labels.node }}{{ end }}",
  '{{ query "1" }}',
])("%s is rejected", (template) => {
  expect(() => expanded(template, { node: "a" })).toThrow(RangeError);
});
