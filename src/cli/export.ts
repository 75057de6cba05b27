import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Matcher } from "../topics/define/selector.ts";
import { given } from "../config/schema/fields.ts";
import { didYouMean, oneOf, quoted } from "../config/base/error-texts.ts";
import { unreadable } from "../config/read/sources.ts";
import { amount } from "../diagnosis/wording.ts";
import { VERSION } from "../daemon/version.ts";
import { alertGroups, RUNBOOKS, type AlertGroup } from "../topics/all/alerts.ts";
import { alertmanagerExample, TEMPLATES } from "../../generate/alertmanager.ts";
import { grafanaRules } from "../../generate/rules/grafana-rules.ts";
import { rulesIn } from "../../generate/rules/rules.ts";
import { runbook, runbookIndex } from "../../generate/rules/runbooks.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { dashboardWith } from "./export/dashboard-with.ts";
import { settingsOf } from "./export/settings-of.ts";
import { SHIPPED_DASHBOARDS, shippedFile } from "./export/shipped-file.ts";
import type { FlagName, Flags } from "./flags.ts";
import { refuse } from "./text/refuse.ts";

/** What can be exported. */
const EXPORTS = ["rules", "dashboards", "alertmanager", "runbooks"] as const;
type Export = (typeof EXPORTS)[number];

/** A file that is exported, by its name in a folder. */
type File = { readonly name: string; readonly text: string };

/** The flags that change each export, besides `--output`. */
const TAKEN: Readonly<Record<Export, readonly FlagName[]>> = {
  rules: ["job", "selector", "runbook-url", "dashboard-url", "config.file", "set", "rules.format"],
  dashboards: ["job", "selector", "runbook-url", "exporter-url"],
  alertmanager: ["job", "selector"],
  runbooks: ["config.file", "set"],
};
const CHANGING = [...new Set(Object.values(TAKEN).flat())];

/** Prints the rules, dashboards, Alertmanager's configuration or runbooks with the user's settings, or writes them. */
export function exportFiles(flags: Flags, system: System, args: readonly string[]): ExitCode {
  const usage = (problem: string): ExitCode => refuse(system, "export", `${problem}\nTry export --help.`);
  const [word, name, ...rest] = args;
  const what = EXPORTS.find((each) => each === word);
  if (what === undefined) return usage(`${word === undefined ? "nothing to export is named" : noSuch(word, EXPORTS)}`);
  if (rest.length > 0) return usage(`unexpected argument ${quoted(rest.join(" "))}`);
  const wrong = CHANGING.find((each) => flags[each] !== undefined && !TAKEN[what].includes(each));
  if (wrong !== undefined) return usage(`--${wrong} does not change ${what}`);
  const set = settingsOf("export", flags, system);
  if ("code" in set) return set.code;
  if (flags.job === "" || matchersOf(flags).some(({ value }) => value.includes("{{")))
    return usage('--job and the values of --selector must have text, without "{{"');
  const files = filesOf(what, flags, alertGroups(set.settings));
  const chosen = name === undefined ? files : files.filter((file) => shortened(file.name) === shortened(name));
  const names = files.map((file) => shortened(file.name));
  if (chosen.length === 0) return usage(noSuch(name ?? "", names));
  return deliver(what, chosen, flags.output, system);
}

function noSuch(word: string, words: readonly string[]): string {
  const hint = didYouMean(word, words) || (words.length > 10 ? "" : `; expected ${oneOf(words)}`);
  return `unexpected argument ${quoted(word)}${hint}`;
}

function shortened(name: string): string {
  return name.replace(/\.(json|md|yaml)$/, "");
}

/** Prints a single file, or writes it. Pages and dashboards are written into a folder; what a file names, beside it. */
function deliver(what: Export, files: readonly File[], output: string | undefined, system: System): ExitCode {
  const [first, ...others] = files;
  const isFolder = what === "dashboards" || what === "runbooks";
  if (first === undefined) return 1;
  if (output === undefined || output === "-") {
    if (isFolder && others.length > 0)
      return refuse(system, "export", `${what} are ${files.length} files; pass --output=DIRECTORY, or the name of one`);
    system.out(first.text);
    return 0;
  }
  const folder = isFolder ? output : dirname(output);
  try {
    if (isFolder) mkdirSync(folder, { recursive: true });
    for (const { name, text } of files)
      writeFileSync(name === first.name && !isFolder ? output : join(folder, name), text);
    if (isFolder || others.length > 0) system.err(`${folder}: ${amount(files.length, "file")} written\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return refuse(system, "export", `cannot write ${quoted(output)}: ${unreadable(error)}`, 1);
  }
}

/** `--job` and `--selector` together. */
function matchersOf({ job, selector = [] }: Flags): readonly Matcher[] {
  return [...(job === undefined ? [] : [{ label: "job", operator: "=" as const, value: job }]), ...selector];
}

function filesOf(what: Export, flags: Flags, groups: readonly AlertGroup[]): readonly File[] {
  const matchers = matchersOf(flags);
  const runbooks = flags["runbook-url"];
  const written = headOf(what, flags);
  switch (what) {
    case "rules": {
      const options = { matchers, ...given({ runbooks, dashboards: flags["dashboard-url"] }) };
      const format = flags["rules.format"] ?? "prometheus";
      const text =
        format === "grafana" ? grafanaRules(groups, options, written) : rulesIn(format, groups, options, written);
      return [{ name: "rules.yaml", text }];
    }
    case "dashboards":
      return SHIPPED_DASHBOARDS.map((name) => ({
        name: `${name}.json`,
        text: dashboardWith(shippedFile(`grafana/dashboards/${name}.json`), {
          job: flags.job,
          matchers: flags.selector ?? [],
          runbooks,
          exporter: flags["exporter-url"],
        }),
      }));
    case "alertmanager":
      return [
        {
          name: "alertmanager.yaml",
          text: alertmanagerExample({ matchers, ...(written === undefined ? {} : { head: written }) }),
        },
        { name: TEMPLATES, text: shippedFile(`grafana/alerts/${TEMPLATES}`) },
      ];
    case "runbooks":
      return [
        { name: "README.md", text: apart(runbookIndex(groups)) },
        ...groups.flatMap(({ alerts }) =>
          alerts.map((alert) => ({ name: `${alert.name}.md`, text: apart(runbook(alert)) })),
        ),
      ];
  }
}

/** Links out of the folder of the runbooks lead to the project. */
function apart(page: string): string {
  return page.replaceAll("](../", `](${RUNBOOKS.replace(/\/runbooks$/, "")}/`);
}

/** The comment at the beginning of a changed file. Without a change it is that of the shipped file. */
function headOf(what: Export, flags: Flags): string | undefined {
  const changing = TAKEN[what].filter((name) => flags[name] !== undefined && name !== "rules.format");
  const names = changing.map((name) => `--${name}`).join(", ");
  return names === "" ? undefined : `# Written by avax-exporter ${VERSION}: export ${what} with ${names}\n`;
}
