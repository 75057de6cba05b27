import { expect, it } from "vitest";
import { expand } from "../../src/diagnosis/template.ts";
import { isPromql } from "../../src/topics/define/condition.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { alertLabels, NAMES } from "./series-labels.ts";

/** Labels with an ID, by the label with the configured name. */
const NAME_OF = { node_id: "name", subnet: "subnet_name" } as const;
const LABELS = alertLabels();

/** What a notification shows: its title, also of its end, and title and text together, which can add the ID. */
const textsOf = ({ summary, over, description }: (typeof ALERTS)[number]): readonly string[] =>
  [summary, over ?? "", `${summary} ${description}`].filter((text) => !text.includes("{{ range"));

const values = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...(LABELS.get(name) ?? []), ...NAMES].map((label) => [label, `<${label}>`]));

it.each(Object.entries(NAME_OF))("an alert about a %s has its configured name in a label", (id, name) => {
  const about = ALERTS.filter(({ labels }) => labels.includes(id));
  expect(about.length).toBeGreaterThan(5);
  for (const alert of about)
    // PromQL keeps the labels of its family, unless it groups by others.
    if (isPromql(alert.when)) expect(alert.expr).not.toMatch(/\bby \(/);
    else expect(LABELS.get(alert.name), alert.name).toContain(name);
});

it.each(ALERTS.map((alert) => [alert.name, alert] as const))(
  "the notification of %s has a configured name where it has an ID",
  (name, alert) => {
    for (const text of textsOf(alert)) {
      const written = expand(text.replaceAll("humanize }}", 'printf "%g" }}'), { labels: values(name), value: 2 });
      for (const [id, label] of Object.entries(NAME_OF))
        expect(written.includes(`<${id}>`) && !written.includes(`<${label}>`), written).toBe(false);
    }
  },
);
