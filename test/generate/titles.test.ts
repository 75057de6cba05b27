import { expect, it } from "vitest";
import { expandTemplate } from "../../src/diagnosis/expand-template.ts";
import { type Alert, isOfValidator } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { CHOICE } from "../../src/topics/all/runbook-text.ts";
import { casesOf } from "../rule-cases/cases-of.ts";

/** What a phone shows of a title. */
const SHOWN = 70;

/** Labels as a real network has them, where a promtool case has short ones. */
const REAL: Readonly<Record<string, string>> = {
  node: "validator-mainnet-03",
  others: "validator-mainnet-04",
  name: "validator-mainnet-03",
  network: "mainnet",
  subnet: "Beam L1",
  chain: "beam-l1",
  instance: "exporter-01:9750",
};

/** A template with each choice between two texts made in both ways; loops over samples are left alone. */
function choices(template: string): readonly string[] {
  const [[choice, yes = "", no = ""] = []] = template.matchAll(CHOICE);
  if (choice === undefined || template.includes("{{ range")) return [template];
  return [yes, no].flatMap((text) => choices(template.replace(choice, () => text)));
}

function titlesOf(alert: Alert): readonly string[] {
  const { labels } = casesOf(alert);
  const named = { instance: "", ...labels, ...(isOfValidator(alert) ? { name: "" } : {}) };
  const real = Object.fromEntries(Object.entries(named).map(([label, value]) => [label, REAL[label] ?? value]));
  // Nearly a day has the longest words, and a share three digits.
  const value = alert.summary.includes("humanizeDuration") ? 86_399 : alert.summary.includes("%.1f") ? 99.9 : 99;
  return choices(alert.summary).map((template) => expandTemplate(template, { labels: real, value }));
}

it("the title of each alert fits on a phone", () => {
  const titles = ALERTS.flatMap((alert) => titlesOf(alert).map((title) => [alert.name, title] as const));
  expect(titles.filter(([, title]) => title.length > SHOWN || !/^[A-Za-z0-9]/.test(title))).toEqual([]);
});
