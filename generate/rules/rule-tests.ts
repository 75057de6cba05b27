import { stringify } from "yaml";
import { ALERT_GROUPS, type AlertGroup } from "../../src/topics/all/alerts.ts";
import { recordingsOf } from "../../src/topics/all/recordings.ts";
import type { Alert } from "../../src/topics/define/alert.ts";
import type { Recording } from "../../src/topics/define/recording.ts";
import type { Series } from "../../test/rule-cases/case.ts";
import { casesOf } from "../../test/rule-cases/cases-of.ts";
import { RECORDING_CASES } from "../../test/rule-cases/recordings.ts";
import { YAML_HEAD } from "./rules.ts";

/** Labels that Prometheus adds to every series of a scrape; `site` is an example of a label of the scrape job. */
const SCRAPED = { instance: "exporter:9750", job: "avax", site: "x1" } as const;

/**
 * The promtool tests of the rules: each recording has its samples; each alert fires once with exactly its labels and those of a
 * scrape, one about a validator with its name, and stays silent in its second case. Promtool evaluates every rule of the file in every minute of every
 * case, so a file of one group is tested much faster than all groups together.
 */
export function ruleTestsFile(groups: readonly AlertGroup[] = ALERT_GROUPS, rules = "rules.yaml"): string {
  const alerts = groups.flatMap((group) => group.alerts);
  const document = {
    rule_files: [rules],
    evaluation_interval: "1m",
    group_eval_order: groups.map(({ id }) => `avax-${id}`),
    tests: [...recordingsOf(alerts).map(recorded), ...alerts.flatMap(cases)].map(({ name, ...rest }) => ({
      name,
      interval: "1m",
      ...rest,
    })),
  };
  return YAML_HEAD + stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}

function recorded({ name }: Recording) {
  const proof = RECORDING_CASES[name];
  if (proof === undefined) throw new Error(`no promtool case of ${name} in test/rule-cases`);
  return {
    name: `${name} is recorded`,
    input_series: seriesOf(proof.series),
    promql_expr_test: [
      {
        expr: name,
        eval_time: proof.at ?? "3m",
        exp_samples: Object.entries(proof.samples).map(([labels, value]) => ({ labels: `${name}${labels}`, value })),
      },
    ],
  };
}

function cases(alert: Alert) {
  const { name, severity } = alert;
  const { at, fires, labels, silentAt = at, silent, why } = casesOf(alert);
  const firing = selector("ALERTS", { alertname: name, alertstate: "firing" });
  const scraped = Object.keys(SCRAPED).filter((label) => !(label in labels));
  return [
    {
      name: `${name} fires`,
      input_series: seriesOf(fires, SCRAPED),
      promql_expr_test: [
        {
          expr: `max without (${scraped.join(", ")}) (${firing})`,
          eval_time: at,
          exp_samples: [
            { labels: selector("", { alertname: name, alertstate: "firing", severity, ...labels }), value: 1 },
          ],
        },
        // Labels of a scrape make no further alerts.
        { expr: `count(${firing})`, eval_time: at, exp_samples: [{ labels: "{}", value: 1 }] },
      ],
    },
    ...(silent === undefined
      ? []
      : [
          {
            name: `${name} is silent: ${why}`,
            input_series: seriesOf(silent, SCRAPED),
            promql_expr_test: [{ expr: firing, eval_time: silentAt, exp_samples: [] }],
          },
        ]),
  ];
}

/** Promtool's input series; the labels of the series win over the added ones. */
function seriesOf(series: Series, added: Readonly<Record<string, string>> = {}) {
  return Object.entries(series).map(([name, values]) => ({ series: withLabels(name, added), values }));
}

/** Adds labels that a series lacks. Throws when the series is not written as `name{labels}`. */
function withLabels(series: string, added: Readonly<Record<string, string>>): string {
  const [, name, labels] = /^([a-zA-Z_0-9]+)\{(.*)\}$/.exec(series) ?? [];
  if (name === undefined || labels === undefined) throw new Error(`not a series with labels: ${series}`);
  const more = Object.entries(added)
    .filter(([label]) => !labels.includes(`${label}="`))
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${[...(labels === "" ? [] : [labels]), ...more].join(",")}}`;
}

function selector(name: string, labels: Readonly<Record<string, string>>): string {
  const inside = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${inside.join(",")}}`;
}
