import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALERT_GROUPS, ALERTS, type AlertGroup } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { rulesFile } from "../../generate/rules/rules.ts";
import { casesOf } from "../rule-cases/cases-of.ts";
import { ruleTestsFile } from "../../generate/rules/rule-tests.ts";
import { recordedExpr } from "../support/recorded-expr.ts";
import { requireTool } from "../e2e/support/tools.ts";

/** A few seconds, more on a busy machine. Milliseconds. */
const SLOW = 240_000;
/** The same rules with conditions that always hold. */
const GREEDY = (rules: string): string =>
  rules
    .replaceAll(/expr: .*/g, "expr: vector(1)")
    .replaceAll(/for: \d.*/g, "for: 0m")
    // Texts, which this test does not need, would double the time of promtool.
    .replaceAll(
      /^ +(annotations|summary|description|over|waited|lingered|action|runbook_url|dashboard_url):.*\n/gm,
      "",
    );

const rulesOf = ({ id }: AlertGroup) => `rules-${id}.yaml`;
const testsOf = ({ id }: AlertGroup) => `tests-${id}.yaml`;

describe("rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "avax-rules-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  beforeAll(() => {
    write("rules.yaml", rulesFile());
    for (const group of ALERT_GROUPS) {
      write(rulesOf(group), rulesFile([group]));
      write(testsOf(group), ruleTestsFile([group], rulesOf(group)));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  function promtool(...args: readonly string[]): Promise<Ended> {
    const child = spawn(requireTool("promtool"), args, { cwd: folder, timeout: SLOW });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].on("data", (chunk: Buffer) => (said[stream] += chunk.toString()));
    return new Promise((resolve) => child.on("close", (status) => resolve({ status, ...said })));
  }

  it("pass promtool check rules without a warning", async () => {
    expect(await promtool("check", "rules", "--lint=all", "--lint-fatal", "rules.yaml")).toEqual({
      status: 0,
      stderr: "",
      stdout: `Checking rules.yaml\n  SUCCESS: ${ALERTS.length + RECORDINGS.length} rules found\n\n`,
    });
  });

  it("stay short and plain", () => {
    const exprs = ALERTS.map(({ expr }) => expr);
    const recorded = RECORDINGS.map(recordedExpr);
    const length = (texts: readonly string[]) => texts.reduce((sum, each) => sum + each.length, 0);
    expect(RECORDINGS.length).toBeLessThanOrEqual(5);
    expect(exprs.filter((expr) => /\b(on|ignoring|group_\w+|and|unless|or)\b/.test(expr)).length).toBeLessThanOrEqual(
      8,
    );
    expect([...exprs, ...recorded].filter((expr) => expr.length > 140)).toEqual([]);
    // An alert, on average: a new one turns nothing red.
    expect(length([...exprs, ...recorded]) / ALERTS.length).toBeLessThanOrEqual(74);
    expect(rulesFile().length / ALERTS.length).toBeLessThanOrEqual(611);
  });

  it("record, fire and stay silent in promtool test rules", { timeout: SLOW }, async () => {
    expect(await promtool("test", "rules", ...ALERT_GROUPS.map(testsOf))).toEqual({
      status: 0,
      stderr: "",
      stdout: ALERT_GROUPS.map((group) => `Unit Testing:  ${testsOf(group)}\n  SUCCESS\n\n`).join(""),
    });
  });

  it("are proved by tests that can fail: rules that always fire fail all of their cases", async () => {
    // The cases of all groups are written by one function: those of one show it.
    const [group] = ALERT_GROUPS;
    if (group === undefined) throw new Error("there are alerts");
    write("greedy-rules.yaml", GREEDY(rulesFile([group])));
    write("greedy-tests.yaml", ruleTestsFile([group], "greedy-rules.yaml"));
    const { status, stderr } = await promtool("test", "rules", "greedy-tests.yaml");
    expect(status).toBe(1);
    const silent = group.alerts.filter((alert) => casesOf(alert).silent !== undefined);
    expect(stderr.match(/exp: nil/g)).toHaveLength(silent.length);
    const labelled = group.alerts.filter((alert) => Object.keys(casesOf(alert).labels).length > 0);
    expect(stderr.match(/exp: \{(?!__name__)[^}]*alertname="/g)).toHaveLength(labelled.length);
  });
});
