import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { ALERT_GROUPS } from "../../src/topics/all/alerts.ts";
import { ruleTestsFile } from "../../generate/rules/rule-tests.ts";
import { rulesFile } from "../../generate/rules/rules.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { createCleanup } from "../support/create-cleanup.ts";

const cleanup = createCleanup();
afterAll(cleanup.run);
let folder: string;
beforeAll(async () => {
  const temporary = await temporaryFolder();
  cleanup.add(temporary.remove);
  folder = temporary.path;
});

type Tests = { readonly tests: ReadonlyArray<{ readonly name: string }> };

/** As the series of a scrape in `ruleTestsFile` have it. */
it("rules about one job fire as all rules do", { timeout: 120_000 }, () => {
  const files = ALERT_GROUPS.map((group) => {
    const matchers = [{ label: "job", operator: "=", value: "avax" } as const];
    writeFileSync(join(folder, `${group.id}.yaml`), rulesFile([group], { matchers }));
    const all = parse(ruleTestsFile([group], `${group.id}.yaml`)) as Tests;
    // An exporter without series of this job is absent.
    const tests = all.tests.filter(({ name }) => name.endsWith(" fires") && !name.startsWith("AvaxExporterAbsent"));
    const file = join(folder, `${group.id}-tests.yaml`);
    writeFileSync(file, stringify({ ...all, tests }, { aliasDuplicateObjects: false }));
    return file;
  });
  expect(() => execFileSync("promtool", ["test", "rules", ...files], { encoding: "utf8" })).not.toThrow();
});
