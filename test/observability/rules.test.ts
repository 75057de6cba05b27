import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ALERTS } from "../../src/alerts/alerts.ts";
import { rulesFile } from "../../src/observability/rules.ts";
import { ruleTestsFile } from "../../src/observability/rule-tests.ts";
import { requireTool } from "../e2e/tools.ts";

type Rule = {
  readonly alert: string;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
};
type RulesYaml = { readonly groups: ReadonlyArray<{ readonly name: string; readonly rules: readonly Rule[] }> };

/** Promtool evaluates every minute of every case; two seconds, more on a busy machine. Milliseconds. */
const SLOW = 60_000;

describe("rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "avax-rules-"));
  const promtool = (...args: readonly string[]) =>
    spawnSync(requireTool("promtool"), args, { cwd: folder, encoding: "utf8", timeout: SLOW });

  beforeAll(() => {
    writeFileSync(join(folder, "rules.yaml"), rulesFile());
    writeFileSync(join(folder, "tests.yaml"), ruleTestsFile());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("pass promtool check rules without a word of complaint", () => {
    const { status, stdout, stderr } = promtool("check", "rules", "--lint=all", "--lint-fatal", "rules.yaml");
    expect({ status, stderr, stdout }).toEqual({
      status: 0,
      stderr: "",
      stdout: `Checking rules.yaml\n  SUCCESS: ${ALERTS.length} rules found\n\n`,
    });
  });

  it("fire and stay silent as promtool test rules proves, with their texts", { timeout: SLOW }, () => {
    const { status, stdout, stderr } = promtool("test", "rules", "tests.yaml");
    expect({ status, stderr, stdout }).toEqual({
      status: 0,
      stderr: "",
      stdout: "Unit Testing:  tests.yaml\n  SUCCESS\n\n",
    });
  });

  it("are proved by tests that can fail: a rule that always fires fails both of its cases", { timeout: SLOW }, () => {
    const greedy = rulesFile()
      .replaceAll(/expr: .*/g, "expr: vector(1)")
      .replaceAll(/for: \d.*/g, "for: 0m")
      // Texts that nobody looks at here would take promtool twice as long as all the rest.
      .replaceAll(/^ +(annotations|summary|description|runbook_url):.*\n/gm, "");
    writeFileSync(join(folder, "rules.yaml"), greedy);
    const { status, stderr } = promtool("test", "rules", "tests.yaml");
    writeFileSync(join(folder, "rules.yaml"), rulesFile());
    expect(status).toBe(1);
    expect(stderr.match(/exp: nil/g)).toHaveLength(ALERTS.length);
    const labelled = ALERTS.filter(({ fires }) => Object.keys(fires.labels).length > 0);
    expect(stderr.match(/exp: \{__name__="ALERTS"/g)).toHaveLength(labelled.length);
  });

  it("carry severity, texts and the address of the runbook", () => {
    const { groups } = parse(rulesFile()) as RulesYaml;
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.map(({ alert }) => alert)).toEqual(ALERTS.map(({ name }) => name));
    expect(rules.find(({ alert }) => alert === "AvaxNodeDown")).toEqual({
      alert: "AvaxNodeDown",
      expr: "avax_node_up == 0",
      for: "2m",
      labels: { severity: "critical" },
      annotations: {
        summary: "{{ $labels.node }} does not answer",
        description:
          "The exporter has had no answer from {{ $labels.node }} for 2 minutes. The exporter's status page has the last error in words.",
        runbook_url: "https://github.com/avax-exporter/avax-exporter/blob/main/docs/runbooks/AvaxNodeDown.md",
      },
    });
  });
});
