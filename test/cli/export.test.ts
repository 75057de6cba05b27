import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { execute } from "../../src/cli/execute.ts";
import { alertmanagerExample } from "../../generate/alertmanager.ts";
import { rulesFile, rulesIn } from "../../generate/rules/rules.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { parsePromql } from "../generate/promql.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writtenSystem } from "../support/written-system.ts";

const ROOT = join(import.meta.dirname, "../..");
const cleanup = createCleanup();
afterAll(cleanup.run);
let folder: string;
beforeAll(async () => {
  const temporary = await temporaryFolder();
  cleanup.add(temporary.remove);
  folder = temporary.path;
});

async function exported(...args: readonly string[]) {
  const { system, written } = writtenSystem();
  return { code: await execute(["export", ...args], system), ...written };
}

type Rule = {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};
type Rules = { readonly groups: ReadonlyArray<{ readonly name: string; readonly rules: readonly Rule[] }> };

async function rulesWith(...flags: readonly string[]): Promise<readonly Rule[]> {
  const { code, out } = await exported("rules", ...flags);
  expect(code).toBe(0);
  return (parse(out) as Rules).groups.flatMap(({ rules }) => rules);
}

function ruleOf(rules: readonly Rule[], alert: string): Rule | undefined {
  return rules.find((each) => each.alert === alert);
}

describe("export rules", () => {
  it("prints the shipped rules without flags", async () => {
    expect(await exported("rules")).toEqual({ code: 0, out: rulesFile(), err: "" });
  });

  it.each([
    [["--job=avax"]],
    [['--selector=env="pr%od",site!~"a|b"']],
    [["--runbook-url=https://wiki.example.org/avax/"]],
    [["--dashboard-url=https://grafana.example.org"]],
    [["--set=peers=40%", "--set=disk-low=20%,lag=5m", "--set=AvaxNodeDown.for=15m"]],
  ])("promtool accepts the rules of %j", async (flags) => {
    const file = join(folder, "rules.yaml");
    writeFileSync(file, (await exported("rules", ...flags)).out);
    const found = execFileSync("promtool", ["check", "rules", file], { encoding: "utf8" });
    expect(found).toMatch(/SUCCESS: \d{2,} rules found/);
  });

  it("restricts each of our series in rules, and labels the results by what must be equal", async () => {
    const rules = await rulesWith("--job=avax", '--selector=env="prod",site=~"a|b"');
    expect(rules).not.toEqual([]);
    for (const rule of rules) {
      expect(rule.labels).toMatchObject({ job: "avax", env: "prod" });
      const ours = parsePromql(rule.expr).selectors.filter(({ name }) => !/^(avalanche_|ALERTS$|up$)/.test(name));
      for (const { name, labels } of ours)
        expect(labels).toEqual(expect.arrayContaining(name.includes(":") ? ["job", "env"] : ["job", "env", "site"]));
    }
  });

  it("writes plain links, which ask Prometheus nothing", async () => {
    const rules = await rulesWith(
      "--runbook-url=https://wiki.example.org/avax/",
      "--dashboard-url=https://g.example.org/x/",
    );
    const alerts = rules.filter(({ alert }) => alert !== undefined);
    expect(ruleOf(rules, "AvaxNodeDown")?.annotations).toMatchObject({
      runbook_url: "https://wiki.example.org/avax/AvaxNodeDown",
      dashboard_url:
        'https://g.example.org/x/d/avax-node?var-network={{ or $labels.network "$__all" | urlquery }}&var-node={{ $labels.node | urlquery }}',
    });
    for (const { annotations = {} } of alerts)
      expect(`${annotations["runbook_url"] ?? ""}${annotations["dashboard_url"] ?? ""}`).not.toContain("query }}{{");
  });

  it("has the thresholds of a configuration file, which --set changes again", async () => {
    const file = join(folder, "config.yaml");
    const node = 'nodes: [{ name: a, url: "http://a:9650" }]\n';
    writeFileSync(file, `${node}alerts: { peers: 40%, disk-low: 20%, disk-full: 16%, AvaxNodeFewPeers.for: 20m }\n`);
    const rules = await rulesWith(`--config.file=${file}`, "--set=peers=30%");
    expect(ruleOf(rules, "AvaxNodeFewPeers")?.expr).toContain("(avax_node_peers_expected_ratio) < 30");
    expect(ruleOf(rules, "AvaxNodeFewPeers")?.for).toBe("20m");
    expect(ruleOf(rules, "AvaxNodeDiskLow")?.expr).toBe(
      "100 * min without (instance)(avax_node_disk_available_ratio) < 20",
    );
    expect(await exported("rules", `--config.file=${file}`, "--set=disk-low=15%")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--set: disk-full (16%) must be less than disk-low (15%)") as unknown,
    });
    writeFileSync(file, `${node}alerts: { pears: 8 }\n`);
    expect(await exported("rules", `--config.file=${file}`)).toEqual({
      code: 1,
      out: "",
      err: `${file}:2:11: unknown threshold "pears"; did you mean "peers"?\n`,
    });
  });

  it("says in the file how it was written", async () => {
    const { out } = await exported("rules", "--job=avax", "--set=peers=40%");
    expect(out.split("\n")[0]).toMatch(/^# Written by avax-exporter \S+: export rules with --job, --set$/);
  });

  it("prints the formats of Mimir and of the Prometheus operator", async () => {
    const mimir = parse((await exported("rules", "--rules.format=mimir")).out) as object;
    expect(mimir).toEqual({ namespace: "avax-exporter", ...(parse(rulesFile()) as object) });
    const { out } = await exported("rules", "--rules.format=kubernetes");
    expect(out).toBe(rulesIn("kubernetes"));
    expect(parse(out)).toMatchObject({ kind: "PrometheusRule", spec: parse(rulesFile()) as object });
  });

  it("prints the provisioning file of Grafana, with the user's thresholds", async () => {
    const { out, code } = await exported("rules", "--rules.format=grafana", "--set=disk-low=20%");
    expect(code).toBe(0);
    expect(out).toMatch(/^# Written by avax-exporter .*--set\napiVersion: 1\ngroups:\n- orgId: 1\n/);
    expect(out.slice(out.indexOf("uid: AvaxNodeDiskLow"))).toMatch(/evaluator:\n +type: lt\n +params:\n +- 20\n/);
  });

  it("writes a file", async () => {
    const file = join(folder, "written.yaml");
    expect(await exported("rules", `--output=${file}`)).toEqual({ code: 0, out: "", err: "" });
    expect(readFileSync(file, "utf8")).toBe(rulesFile());
  });

  it("lists the thresholds with alert, default and bounds", async () => {
    const { code, out } = await exported("rules", "--set=help");
    expect(code).toBe(0);
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain(
      "peers AvaxNodeFewPeers: fires when the node has less than this share of the peers that it should have. 50 % (1% to 100%).",
    );
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("export refuses", () => {
  it.each([
    [["rules", "--set=peer=3"], '--set: unknown threshold "peer"; did you mean "peers"?'],
    [["rules", "--set=peers=0"], '--set: peers must be a share from 1% to 100%; found "0"'],
    [["rules", "--set=lag=40"], '--set: lag must be a duration in whole seconds from 30s to 1d; found "40"'],
    [["rules", "--set=lag=40s,lag=50s"], "--set: lag is given more than once"],
    [["rules", "--job="], '--job and the values of --selector must have text, without "{{"'],
    [["alertmanager", "--set=peers=40%"], "--set does not change alertmanager"],
    [[], "nothing to export is named"],
    [["rule"], 'unexpected argument "rule"; did you mean "rules"?'],
    [["dashboards", "flet"], 'unexpected argument "flet"; did you mean "fleet"?'],
    [["dashboards", "fleet", "more"], 'unexpected argument "more"'],
  ])("%j", async (args, problem) => {
    expect(await exported(...args)).toEqual({
      code: 2,
      out: "",
      err: `avax-exporter export: ${problem}\nTry export --help.\n`,
    });
  });

  it("what is no assignment", async () => {
    const { code, err } = await exported("rules", "--set=peers");
    expect(code).toBe(2);
    expect(err).toContain('--set: "peers" is not NAME=VALUE such as lag=5m, or help');
  });

  it("to print several files", async () => {
    expect(await exported("dashboards")).toEqual({
      code: 2,
      out: "",
      err: "avax-exporter export: dashboards are 7 files; pass --output=DIRECTORY, or the name of one\n",
    });
  });

  it("to write where it cannot", async () => {
    const { code, err } = await exported("rules", `--output=${join(folder, "missing/rules.yaml")}`);
    expect(code).toBe(1);
    expect(err).toMatch(/^avax-exporter export: cannot write ".*missing\/rules.yaml": /);
  });
});

describe("export dashboards", () => {
  it("writes the shipped dashboards without flags", async () => {
    const target = join(folder, "new/dashboards");
    expect(await exported("dashboards", `--output=${target}`)).toMatchObject({
      code: 0,
      err: `${target}: 7 files written\n`,
    });
    const shipped = join(ROOT, "grafana/dashboards");
    expect(readdirSync(target).sort()).toEqual(readdirSync(shipped).sort());
    for (const name of readdirSync(target))
      expect(readFileSync(join(target, name), "utf8")).toBe(readFileSync(join(shipped, name), "utf8"));
  });

  it("prints one by its name", async () => {
    expect((await exported("dashboards", "fleet")).out).toBe(
      readFileSync(join(ROOT, "grafana/dashboards/fleet.json"), "utf8"),
    );
  });
});

describe("export alertmanager", () => {
  it("prints the shipped example without flags", async () => {
    expect(await exported("alertmanager")).toEqual({ code: 0, out: alertmanagerExample(), err: "" });
  });

  it("routes and holds back the alerts of one exporter alone, as amtool reads it", async () => {
    const { out } = await exported("alertmanager", "--job=avax");
    const { route, inhibit_rules: inhibitions } = parse(out) as {
      readonly route: { readonly routes: ReadonlyArray<{ readonly matchers: readonly string[] }> };
      readonly inhibit_rules: ReadonlyArray<Record<"source_matchers" | "target_matchers", readonly string[]>>;
    };
    for (const { matchers } of route.routes) expect(matchers).toContain('job="avax"');
    for (const each of inhibitions) {
      expect(each.source_matchers).toContain('job="avax"');
      expect(each.target_matchers).toContain('job="avax"');
    }
    mkdirSync(join(folder, "am"), { recursive: true });
    const file = join(folder, "am/am.yaml");
    const texts = join(folder, "am/avax.tmpl");
    expect(await exported("alertmanager", "--job=avax", `--output=${file}`)).toEqual({
      code: 0,
      out: "",
      err: `${join(folder, "am")}: 2 files written\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(out);
    expect(readFileSync(texts, "utf8")).toBe((await exported("alertmanager", "avax.tmpl")).out);
    expect(execFileSync("amtool", ["check-config", file], { encoding: "utf8" })).toContain("SUCCESS");
  });
});

describe("export runbooks", () => {
  it("writes a page for each alert and their list, with links that lead somewhere", async () => {
    const target = join(folder, "runbooks");
    expect(await exported("runbooks", `--output=${target}`)).toMatchObject({ code: 0 });
    const names = readdirSync(target);
    expect(names.sort()).toEqual(readdirSync(join(ROOT, "docs/runbooks")).sort());
    for (const name of names) expect(readFileSync(join(target, name), "utf8")).not.toContain("](../");
    expect(readFileSync(join(target, "README.md"), "utf8")).toContain(
      "(https://github.com/avax-exporter/avax-exporter/blob/main/docs/alerts.md)",
    );
  });

  it("follows the thresholds", async () => {
    const { out } = await exported("runbooks", "AvaxNodeFewPeers", "--set=peers=40%");
    expect(out).toContain("less than 40 % of");
    expect(out).toContain("(avax_node_peers_expected_ratio) < 40");
  });
});
