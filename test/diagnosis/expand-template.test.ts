import { expect, it, test } from "vitest";
import { humanizeDuration } from "../../src/diagnosis/humanize.ts";
import { rulesOf } from "../../src/diagnosis/rules.ts";
import { expandTemplate } from "../../src/diagnosis/expand-template.ts";

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

it("expands the summary of every alert that is judged here", () => {
  for (const { alert } of rulesOf().rules)
    expect(expandTemplate(alert.summary, { labels: {}, value: 1.5 })).not.toContain("{{");
});

test.each([
  "{{ $labels.node",
  "{{ if $value }}without an end",
  "{{ end }}",
  "{{ $value | humanize1024 }}",
  '{{ query "nothing" }}',
  '{{ printf "%d" $value }}',
  "{{ .Labels.check }}",
  "{{ with $labels.node }}{{ end }}",
  "{{ range $labels.node }}{{ end }}",
])("%s is rejected", (template) => {
  expect(() => expandTemplate(template, { labels: { node: "a" }, value: 1 })).toThrow(RangeError);
});
