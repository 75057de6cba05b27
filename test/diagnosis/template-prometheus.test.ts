import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SUBNET } from "../../src/topics/define/alert-texts.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { expand } from "../../src/diagnosis/template.ts";
import { requireTool } from "../e2e/support/tools.ts";
import { readingsIn } from "../support/readings.ts";

/** Prometheus and the diagnosis must expand the templates of alerts to the same texts, from the same series. */

const TEMPLATES = [
  `{{ $labels.node }} lags on ${SUBNET}`,
  'Failing:{{ range printf "check{node=%q,instance=%q,job=%q} == 0" $labels.node $labels.instance $labels.job | query | sortByLabel "check" }} {{ .Labels.check }}{{ end }}.',
  'none{{ range $at, $check := query "nothing" }} {{ $at }}{{ else }} at all{{ end }}',
  '{{ range $at, $check := query "check" | sortByLabel "check" }}{{ $at }}{{ if gt $at 0 }}>{{ end }} {{ end }}',
  '{{ with printf "nothing{node=%q}" $labels.node | query }}some{{ else }}none{{ end }}',
  "{{ if lt $value 0.0 }}{{ $value }} is past{{ else }}{{ $value | humanizeDuration }} is left{{ end }}",
  "{{ if gt $value 10.0 }}{{ with $labels.node }}{{ . }} has much{{ end }}{{ else }}little{{ end }}",
  '{{ $value | printf "%.1f" }} {{ $value | printf "%.3g" }} {{ $value }} {{ $value | humanizePercentage }}',
  '{{ printf "%q %.0f" $labels.node $value }} {{ or $labels.missing $labels.subnet }}',
  '{{ $labels.missing }}{{ with $labels.missing }}x{{ end }}{{ query "check" | first | label "missing" }}',
];
const VALUES = [-1276, 0, 0.25, 0.35, 1.5, -2.5, 1234.5, 90_061, 123_456.75, 1_000_000, 1_234_567, 0.00001234];
const SUBNETS = ["S1", "S2", "S3", "primary"];
const INFO = [
  'avax_subnet_info{network="n",subnet="S1",name="gaming"}',
  'avax_subnet_info{network="n",subnet="S2",name=""}',
  'avax_subnet_info{network="other",subnet="S4",name="else"}',
];
const CHECKS = [
  ['check{node="a",instance="e",job="j",check="network"}', 0],
  ['check{node="a",instance="e",job="j",check="diskspace"}', 0],
  ['check{node="a",instance="e",job="j",check="bls"}', 1],
  ...["router", "swap", "time"].map((name) => [`check{node="a",instance="e",job="j",check="${name}"}`, 0] as const),
] as const;

it("a text of a notification is the same as that of a finding", () => {
  const folder = mkdtempSync(join(tmpdir(), "templates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const series = [...INFO.map((name) => [name, 1] as const), ...CHECKS];
  const text = series.map(([name, value]) => `${name} ${value}\n`).join("");
  const samples = samplesOf(readingsIn(text), 60);
  const tests = VALUES.flatMap((value) =>
    SUBNETS.map((subnet) => {
      const labels = { instance: "e", job: "j", network: "n", node: "a", subnet };
      const texts = TEMPLATES.map((template) =>
        expand(template, { labels: new Map(Object.entries(labels)), value, samples }),
      );
      const given = `left{${Object.entries(labels)
        .map(([name, each]) => `${name}="${each}"`)
        .join(",")}}`;
      return {
        interval: "1m",
        input_series: [...series, [given, value] as const].map(([name, each]) => ({
          series: name,
          values: `${each}x2`,
        })),
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
