import { expect, it } from "vitest";
import { expand } from "../../src/diagnosis/template.ts";
import { isOfValidator } from "../../src/topics/all/joined-alert.ts";
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

it.each(ALERTS.map((alert) => [alert.name, alert] as const))("the title of %s fits on a phone", (_name, alert) => {
  const { labels } = casesOf(alert);
  const named = { instance: "", ...labels, ...(isOfValidator(alert) ? { name: "" } : {}) };
  const real = Object.fromEntries(Object.entries(named).map(([label, value]) => [label, REAL[label] ?? value]));
  // Nearly a day has the longest words, and a share three digits.
  const value = alert.summary.includes("humanizeDuration") ? 86_399 : alert.summary.includes("%.1f") ? 99.9 : 99;
  for (const template of choices(alert.summary)) {
    const title = expand(template, { labels: real, value });
    expect(title).toMatch(/^[A-Za-z0-9].*[A-Za-z0-9%)]?$/);
    expect(title.length, title).toBeLessThanOrEqual(SHOWN);
  }
});
