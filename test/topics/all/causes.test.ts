import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SEVERITIES, type Alert, type Cause, isOfValidator } from "../../../src/topics/define/alert.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { lingeringOf } from "../../../src/topics/all/lingering-of.ts";
import { SYMPTOMS } from "../../../generate/rules/alert-policy.ts";
import { chosenStories } from "../../e2e/support/stories/stories.ts";
import { alertLabels } from "../../generate/series-labels.ts";

const LABELS = alertLabels();
const BY_NAME = new Map(ALERTS.map((alert) => [alert.name, alert]));
const RELATIONS = ALERTS.flatMap((alert) => (alert.explainedBy ?? []).map((cause) => ({ alert, cause })));

const labelsOf = (name: Alert["name"]): readonly string[] => LABELS.get(name) ?? [];
const rank = ({ severity }: Alert): number => SEVERITIES.indexOf(severity);

/** Labels of a part of a node or network: a cause about one part must not hold back what is about another. */
const PARTS = ["chain", "subnet", "check", "api_endpoint", "validation_id", "api", "node_id", "node"];

/** Faults of one relation, in words. */
function faults(
  alert: Alert,
  { alert: name, equal, sourceMatchers = {}, targetMatchers = {}, why, outranked }: Cause,
): readonly string[] {
  const cause = BY_NAME.get(name);
  if (cause === undefined) return [`${name} does not exist`];
  const [ofCause, ofAlert] = [labelsOf(name), labelsOf(alert.name)];
  const isOutranked = rank(cause) > rank(alert);
  const parts = PARTS.filter(
    (label) => ofCause.includes(label) && !equal.includes(label) && !(label in sourceMatchers),
  );
  // A node and its node ID determine each other.
  const isNode = (label: string): boolean => label === "node" || label === "node_id";
  const isSameNode = equal.some(isNode);
  const loose = parts.filter(
    (label) => !(isNode(label) && isSameNode) && ofAlert.includes(label) && !(label in targetMatchers),
  );
  return [
    ...(name === alert.name ? ["explains itself"] : []),
    ...equal.filter((label) => !ofCause.includes(label)).map((label) => `${name} has no label ${label}`),
    ...equal.filter((label) => !ofAlert.includes(label)).map((label) => `${alert.name} has no label ${label}`),
    ...Object.keys(sourceMatchers)
      .filter((label) => !ofCause.includes(label))
      .map((label) => `${name} has no label ${label}`),
    ...Object.keys(targetMatchers)
      .filter((label) => !ofAlert.includes(label))
      .map((label) => `${alert.name} has no label ${label}`),
    ...(isOutranked && outranked === undefined ? [`${name} is less urgent, and no reason is given`] : []),
    ...loose.map((label) => `both have a label ${label}, which need not be equal`),
    ...(/^[A-Z].*\.$/.test(why) ? [] : [`not a sentence: ${why}`]),
  ];
}

describe("what explains an alert", () => {
  it("exists, joins by labels that both carry, and outranks it or says why not", () => {
    const wrong = RELATIONS.flatMap(({ alert, cause }) =>
      faults(alert, cause).map((fault) => `${alert.name} by ${cause.alert}: ${fault}`),
    );
    expect(wrong).toEqual([]);
  });

  it("lasts longer than it by an evaluation: both are often over at once", () => {
    const shorter = RELATIONS.filter(
      ({ alert, cause }) => lingeringOf({ name: cause.alert }) < lingeringOf(alert) + 30,
    ).map(({ alert, cause }) => ({ cause: cause.alert, explains: alert.name }));
    const causes = new Set(shorter.map(({ cause }) => cause));
    // These are over when others go on: the samples are new, or a restart explains the same.
    const OUTAGES = ["AvaxApiNodeDown", "AvaxNodeDown", "AvaxNodeDownBudgetLow", "AvaxValidatorApiDown"];
    expect([...causes].toSorted()).toEqual([...OUTAGES, "AvaxExporterAbsent", "AvaxNodeRestarting"].toSorted());
    const restart = RELATIONS.filter(({ cause }) => cause.alert === "AvaxNodeRestarting").map(
      ({ alert }) => alert.name,
    );
    const ofOutages = shorter.filter(({ cause }) => OUTAGES.includes(cause)).map(({ explains }) => explains);
    expect(ofOutages.filter((name) => name !== "AvaxNodeRestarting" && !restart.includes(name))).toEqual([]);
  });

  it("is said once", () => {
    const keys = RELATIONS.map(({ alert, cause }) =>
      JSON.stringify([alert.name, cause.alert, cause.equal, cause.sourceMatchers]),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it("has no circles", () => {
    const causes = new Map(ALERTS.map(({ name, explainedBy = [] }) => [name, explainedBy.map((each) => each.alert)]));
    const circle = (name: Alert["name"], path: readonly string[]): readonly string[] =>
      path.includes(name)
        ? [[...path, name].join(" ← ")]
        : (causes.get(name) ?? []).flatMap((each) => circle(each, [...path, name]));
    expect(ALERTS.flatMap(({ name }) => circle(name, []))).toEqual([]);
  });
});

describe("alerts", () => {
  it("about a node carry its name and network", () => {
    const nodes = ALERTS.filter(({ labels }) => labels.includes("node"));
    expect(nodes).not.toEqual([]);
    const lacking = nodes.flatMap(({ name }) =>
      ["node", "network"].filter((label) => !labelsOf(name).includes(label)).map((label) => `${name}: ${label}`),
    );
    expect(lacking).toEqual([]);
  });

  it("about a validator carry its name and the polled node that it is", () => {
    const validators = ALERTS.filter(isOfValidator);
    expect(validators).not.toEqual([]);
    const lacking = validators.filter(({ name }) => !labelsOf(name).includes("node")).map(({ name }) => name);
    expect(lacking).toEqual([]);
  });

  it("that page say what is lost by waiting, and no others do", () => {
    const wrong = ALERTS.filter(({ severity, impact }) => (severity === "critical") !== (impact !== undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
    for (const { impact } of ALERTS) if (impact !== undefined) expect(impact).toMatch(/^[A-Z].*\.$/);
  });

  it("are held back by pages alone where they page", () => {
    const pages = RELATIONS.filter(({ alert }) => alert.severity === "critical");
    const others = pages.filter(({ cause }) => BY_NAME.get(cause.alert)?.severity !== "critical");
    expect(others.map(({ alert, cause }) => `${alert.name} by ${cause.alert}`)).toEqual([]);
  });

  it("that page are those of the policy's symptoms, each once", () => {
    const critical = ALERTS.filter(({ severity }) => severity === "critical").map(({ name }) => name);
    expect(SYMPTOMS.flatMap(([, names]) => names).toSorted()).toEqual(critical.toSorted());
  });

  it("that page are sent in a story, or in the run of the pages about the exporter", () => {
    const sent = chosenStories(undefined).flatMap(({ pages }) => pages.flatMap(({ alerts }) => alerts));
    const aboutExporter = readFileSync(join(import.meta.dirname, "../../e2e/exporter-pages.long.ts"), "utf8");
    const critical = ALERTS.filter(({ severity }) => severity === "critical").map(({ name }) => name);
    expect(critical.filter((name) => !sent.includes(name) && !aboutExporter.includes(name))).toEqual([]);
  });
});
