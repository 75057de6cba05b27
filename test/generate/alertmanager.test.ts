import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { ALERTS } from "../../src/definitions/alerts.ts";
import { alertmanagerExample, INHIBITIONS } from "../../src/generate/alertmanager.ts";
import { requireTool } from "../e2e/support/tools.ts";

/** Runs amtool on the example. */
function amtool(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "avax-routing-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "alertmanager.yaml");
  writeFileSync(file, alertmanagerExample());
  return spawnSync(requireTool("amtool"), [...args.map((arg) => arg.replace("FILE", file))], { encoding: "utf8" });
}

const alertOf = (name: string) => ALERTS.find((alert) => alert.name === name);
const labelsOf = (name: string) => [...Object.keys(alertOf(name)?.fires.labels ?? {}), "job", "instance"];

describe("the example for Alertmanager", () => {
  it("is accepted by amtool", () => {
    const { status, stdout } = amtool("check-config", "FILE");
    expect({ status, rules: /(\d+) inhibit rules/.exec(stdout)?.[1] }).toEqual({
      status: 0,
      rules: String(INHIBITIONS.length),
    });
  });

  it.each([
    ["critical", "AvaxNodeDown", "node=a", "page"],
    ["warning", "AvaxNodeUpgradeDue", "node=a", "ticket"],
    ["critical", "AvaxPublicChainStalled", "network=fuji", "page"],
    ["info", "AvaxEvmBlocksSkipped", "network=fuji", "record"],
    ["warning", "AvaxHostedKeyRefused", "api=data", "ticket"],
    ["critical", "SomebodyElses", "node=a", "ticket"],
  ])("sends a %s %s with %s to %s", (severity, name, label, receiver) => {
    const { stdout } = amtool(
      ...["config", "routes", "test", "--config.file=FILE", `alertname=${name}`, `severity=${severity}`, label],
    );
    expect(stdout.trim()).toBe(receiver);
  });

  it("states every inhibition as a rule", () => {
    const { inhibit_rules: rules } = parse(alertmanagerExample()) as {
      inhibit_rules: ReadonlyArray<{ source_matchers: string[]; equal?: string[] }>;
    };
    expect(rules.map(({ source_matchers, equal }) => [source_matchers, equal ?? []])).toEqual(
      INHIBITIONS.map(({ source, equal }) => [[`alertname="${source}"`], [...equal]]),
    );
  });
});

describe.each(INHIBITIONS)("$source silences", ({ source, targets, equal }) => {
  it("other alerts that exist", () => {
    expect(alertOf(source)).toBeDefined();
    expect(targets.filter((name) => alertOf(name) === undefined)).toEqual([]);
    expect(targets).not.toContain(source);
    expect(targets.length).toBeGreaterThan(0);
  });

  it("where labels are equal that it has", () => {
    expect(equal.filter((label) => !labelsOf(source).includes(label))).toEqual([]);
  });

  it("where labels are equal that they have", () => {
    const without = targets.flatMap((name) => equal.filter((label) => !labelsOf(name).includes(label)));
    expect(without).toEqual([]);
  });
});

it("no two alerts silence each other", () => {
  const silences = (source: string, target: string) =>
    INHIBITIONS.some((rule) => rule.source === source && rule.targets.some((name) => name === target));
  const mutual = INHIBITIONS.flatMap(({ source, targets }) => targets.filter((target) => silences(target, source)));
  expect(mutual).toEqual([]);
});
