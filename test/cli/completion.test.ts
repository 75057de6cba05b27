import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { METHODS } from "../../src/api/node/methods.ts";
import { execute } from "../../src/cli/execute.ts";
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/commands.ts";
import { SCENARIO_NAMES } from "../../simulator/world/scenarios.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writtenSystem } from "../support/written-system.ts";

const cleanup = createCleanup();
afterAll(cleanup.run);
let folder: string;
beforeAll(async () => {
  const temporary = await temporaryFolder();
  cleanup.add(temporary.remove);
  folder = temporary.path;
  writeFileSync(join(folder, "mine.yaml"), "");
  mkdirSync(join(folder, "mine.d"));
  writeFileSync(join(folder, "script.bash"), await script("bash"));
});

async function script(shell: string): Promise<string> {
  const { system, written } = writtenSystem();
  expect(await execute(["completion", shell], system)).toBe(0);
  return written.out;
}

/** What bash offers at the end of a line. */
function offered(line: string, breaks?: string): readonly string[] {
  const program = [
    "source ./script.bash",
    ...(breaks === undefined ? [] : [`COMP_WORDBREAKS='${breaks}'`]),
    'COMP_LINE="$1" COMP_POINT=${#1}',
    "_avax_exporter",
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join("\n");
  const out = execFileSync("bash", ["--norc", "-c", program, "bash", line], { cwd: folder, encoding: "utf8" });
  return out.split("\n").filter((each) => each !== "");
}

describe("bash offers", () => {
  it.each<[string, readonly string[]]>([
    ["avax-exporter do", ["doctor"]],
    ["avax-exporter --web.l", ["--web.listen-address="]],
    ["avax-exporter --web.s", ["--web.systemd-socket"]],
    ["avax-exporter --config.", ["--config.file=", "--config.enable-auto-reload", "--config.auto-reload-interval="]],
    [
      "avax-exporter doctor --",
      ["--config.file=", "--doctor.timeout=", "--since=", "--exporter=", "--version", "--help"],
    ],
    ["avax-exporter run --log.level=", ["debug", "info", "warn", "error"]],
    ["avax-exporter --log.level w", ["warn"]],
    ["avax-exporter --config.file=mine", ["mine.d", "mine.yaml"]],
    ["avax-exporter check-config --config.file mi", ["mine.d", "mine.yaml"]],
    ["avax-exporter --storage.path=mi", ["mine.d"]],
    ["avax-exporter simulate --scenario=lag", ["lagging"]],
    ["avax-exporter demo --scenario=1=slow,2=hug", ["huge"]],
    ["avax-exporter completion ", ["bash", "zsh", "fish"]],
    ["avax-exporter init ", ["http://127.0.0.1:9650"]],
    ["avax-exporter call http://127.0.0.1:9650 info.getNodeI", ["info.getNodeID", "info.getNodeIP"]],
    ["avax-exporter call --config.file=a.yaml mine evm.h", ["evm.head"]],
    ["avax-exporter call mine admin_set", []],
    ["avax-exporter call mine admin_set --allow-write", ["--allow-write"]],
    ["avax-exporter call --allow-write mine admin_set", ["admin_setLogLevel"]],
    ["avax-exporter check-config x", []],
  ])("%j", (line, words) => {
    expect([...offered(line)].sort()).toEqual([...words].sort());
  });

  it("every command, and every flag of each", () => {
    expect(offered("avax-exporter ")).toEqual(COMMAND_NAMES);
    for (const name of COMMAND_NAMES) {
      const flags = offered(`avax-exporter ${name} --`).map((flag) => flag.replace(/^--|=$/g, ""));
      expect(flags).toEqual([...COMMANDS[name].flags, "version", "help"]);
    }
  });

  it("whole words where bash does not break them at =", () => {
    expect(offered("avax-exporter run --log.level=w", " \t\n")).toEqual(["--log.level=warn"]);
    expect(offered("avax-exporter demo --scenario=2=hug", " \t\n")).toEqual(["--scenario=2=huge"]);
  });
});

it.each(["bash", "zsh", "fish"])(
  "the script of %s has every command, flag, choice, scenario and reading method",
  async (shell) => {
    const text = await script(shell);
    for (const name of COMMAND_NAMES) expect(text).toContain(name);
    for (const flag of new Set(COMMAND_NAMES.flatMap((name) => COMMANDS[name].flags))) {
      expect(text).toContain(shell === "fish" ? `-l ${flag} ` : `--${flag}`);
    }
    for (const scenario of SCENARIO_NAMES) expect(text).toContain(scenario);
    for (const { name } of METHODS.values()) expect(text).toContain(name.replace("GET ", ""));
  },
);

it("zsh completes files, choices and descriptions", async () => {
  const text = await script("zsh");
  expect(text).toMatch(/^#compdef avax-exporter avax-exporter\.mjs\n/);
  expect(text).toContain(
    "'--config.file=[Configuration file (YAML). Default\\: watch http\\://127.0.0.1\\:9650.]:value:_files'",
  );
  expect(text).toContain("'--dialect=[API dialect of the nodes. Default\\: avalanchego.]:value:(avalanchego spec)'");
  expect(text).toContain("'doctor:Poll once and report each problem with its evidence and its remedy.'");
});

it("fish completes files, choices and descriptions", async () => {
  const text = await script("fish");
  expect(text).toContain(
    `complete -c avax-exporter -n "__fish_seen_subcommand_from doctor" -l config.file -d 'Configuration file (YAML). Default: watch http://127.0.0.1:9650.' -r -F\n`,
  );
  expect(text).toContain("-l dialect -d 'API dialect of the nodes. Default: avalanchego.' -x -a 'avalanchego spec'\n");
});

it.each([
  [[], "the shell is missing; expected bash, zsh or fish"],
  [["tcsh"], 'unexpected "tcsh"; expected bash, zsh or fish'],
  [["bash", "zsh"], 'unexpected "bash zsh"; expected bash, zsh or fish'],
])("completion %j is refused", async (args, sentence) => {
  const { system, written } = writtenSystem();
  expect(await execute(["completion", ...args], system)).toBe(2);
  expect(written).toEqual({ out: "", err: `avax-exporter completion: ${sentence}\n` });
});
