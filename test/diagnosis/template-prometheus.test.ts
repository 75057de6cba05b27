import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { expandTemplate } from "../../src/diagnosis/expand-template.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { requireTool } from "../e2e/support/tools.ts";

/** Prometheus and the diagnosis must expand the templates of alerts to the same texts. */

const TEMPLATES = [
  "{{ $labels.node }} lags on {{ or $labels.subnet_name $labels.subnet }}",
  "{{ if $labels.missing }}some{{ else }}none{{ end }}{{ if $labels.node }} of {{ $labels.node }}{{ end }}",
  "{{ if $value }}{{ $value | humanizeDuration }} is left{{ else }}nothing{{ end }}",
  "{{ if lt $value 0.0 }}past{{ else }}{{ if gt $value 10.0 }}much{{ else }}little{{ end }}{{ end }}",
  '{{ $value | printf "%.1f" }} {{ $value | printf "%.3g" }} {{ $value }} {{ $value | humanizePercentage }}',
  '{{ printf "%s %.0f" $labels.node $value }} {{ or $labels.missing $labels.subnet }}{{ $labels.missing }}',
  ...new Set(ALERTS.flatMap(({ summary, description = "", over = "" }) => [summary, description, over])),
];
const VALUES = [-1276, 0, 0.25, 0.35, 1.5, -2.5, 1234.5, 90_061, 123_456.75, 1_000_000, 1_234_567, 0.00001234];
const SUBNETS = ["S1", "S2", "S3", "primary"];
it("a text of a notification is the same as that of a finding", () => {
  const folder = mkdtempSync(join(tmpdir(), "templates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tests = VALUES.flatMap((value) =>
    SUBNETS.map((subnet) => {
      const labels = { instance: "e", job: "j", network: "n", node: "a", subnet };
      const texts = TEMPLATES.map((template) => expandTemplate(template, { labels, value }));
      const given = `left{${Object.entries(labels)
        .map(([name, each]) => `${name}="${each}"`)
        .join(",")}}`;
      return {
        interval: "1m",
        input_series: [{ series: given, values: `${value}x2` }],
        alert_rule_test: [
          {
            eval_time: "1m",
            alertname: "Any",
            exp_alerts: [
              { exp_labels: labels, exp_annotations: Object.fromEntries(texts.map((each, at) => [`text${at}`, each])) },
            ],
          },
        ],
      };
    }),
  );
  const annotations = Object.fromEntries(TEMPLATES.map((template, at) => [`text${at}`, template]));
  const rules = [{ alert: "Any", expr: "left > -Inf", annotations }];
  writeFileSync(join(folder, "rules.json"), JSON.stringify({ groups: [{ name: "texts", rules }] }));
  writeFileSync(join(folder, "tests.json"), JSON.stringify({ rule_files: ["rules.json"], tests }));
  const { status, stdout, stderr } = spawnSync(requireTool("promtool"), ["test", "rules", "tests.json"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(`${stdout}${stderr}`).toContain("SUCCESS");
  expect(status).toBe(0);
});
