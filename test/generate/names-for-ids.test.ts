import { expect, it } from "vitest";
import { expandTemplate } from "../../src/diagnosis/expand-template.ts";
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
  expect(about).not.toEqual([]);
  for (const alert of about)
    // PromQL keeps the labels of its family, unless it groups by others.
    if (isPromql(alert.when)) expect(alert.expr).not.toMatch(/\bby \(/);
    else expect(LABELS.get(alert.name), alert.name).toContain(name);
});

it("a notification has a configured name where it has an ID", () => {
  const wrong = ALERTS.flatMap((alert) => {
    const { name } = alert;
    const written = textsOf(alert).map((text) =>
      expandTemplate(text.replaceAll("humanize }}", 'printf "%g" }}'), { labels: values(name), value: 2 }),
    );
    return Object.entries(NAME_OF).flatMap(([id, label]) =>
      written
        .filter((text) => text.includes(`<${id}>`) && !text.includes(`<${label}>`))
        .map((text) => `${name}: ${text}`),
    );
  });
  expect(wrong).toEqual([]);
});
