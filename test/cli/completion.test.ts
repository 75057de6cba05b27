import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { candidates } from "../../src/cli/completion.ts";
import { execute } from "../../src/cli/execute.ts";
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/commands.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { writtenSystem } from "../support/written-system.ts";

/** The candidates at the end of a line of arguments. */
const offered = (line: string) => candidates(line.split(" ")).map(([word]) => word);

it.each<[string, readonly string[]]>([
  ["do", ["doctor"]],
  ["--web.l", ["--web.listen-address="]],
  [
    "doctor --",
    [
      "--config.file=",
      "--doctor.timeout=",
      "--unknown",
      "--since=",
      "--exporter=",
      "--login-file=",
      "--version=",
      "--help",
    ],
  ],
  ["run --log.level=", ["debug", "info", "warn", "error"].map((level) => `--log.level=${level}`)],
  ["--log.level w", ["warn"]],
  ["--config.file=mine", []],
  ["check-config --config.file mi", []],
  ["simulate --scenario=lag", ["--scenario=lagging"]],
  ["demo --scenario=1=slow,2=hug", ["--scenario=1=slow,2=huge"]],
  ["demo --scenario 1=slow,2=hug", ["1=slow,2=huge"]],
  ["completion ", ["bash", "zsh", "fish"]],
  ["export da", ["dashboards"]],
  ["call http://127.0.0.1:9650 info.getNodeI", ["info.getNodeID", "info.getNodeIP"]],
  ["call --config.file=a.yaml mine evm.h", ["evm.head"]],
  ["call mine admin_set", []],
  ["call --allow-write mine admin_set", ["admin_setLogLevel"]],
  ["check-config x", []],
  ["--what=", []],
])("%j is completed", (line, words) => {
  expect(offered(line)).toEqual(words);
});

it("offers every command, and every flag of each", () => {
  expect(offered("")).toEqual(COMMAND_NAMES);
  for (const name of COMMAND_NAMES) {
    const flags = offered(`${name} --`).map((flag) => flag.replace(/^--|=$/g, ""));
    expect(flags).toEqual([...COMMANDS[name].flags, "version", "help"]);
  }
});

it("prints candidates with their meanings, for the scripts", async () => {
  const { system, written } = writtenSystem();
  expect(await execute(["completion", "words", "--", "run", "--log.f"], system)).toBe(0);
  expect(written.out).toBe("--log.format=\tLog format. Default: logfmt.\n");
});

describe("the script of bash", () => {
  const cleanup = createCleanup();
  afterAll(cleanup.run);
  let folder: string;
  beforeAll(async () => {
    const temporary = await temporaryFolder();
    cleanup.add(temporary.remove);
    folder = temporary.path;
    const { system, written } = writtenSystem();
    expect(await execute(["completion", "bash"], system)).toBe(0);
    writeFileSync(join(folder, "script.bash"), written.out);
    const program = join(import.meta.dirname, "../../bin/avax-exporter.mjs");
    writeFileSync(join(folder, "avax"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  });

  it.each<[string, readonly string[], string?]>([
    ["./avax --config.file=mine", []],
    ["./avax demo --scenario=1=slow,2=hug", ["huge"]],
    ["./avax demo --scenario=2=hug", ["--scenario=2=huge"], " \t\n"],
    ["./avax completion ", ["bash", "zsh", "fish"]],
  ])("offers for %j what replaces the text after the last break", (line, words, breaks) => {
    const program = [
      "source ./script.bash",
      ...(breaks === undefined ? [] : [`COMP_WORDBREAKS='${breaks}'`]),
      'COMP_LINE="$1" COMP_POINT=${#1}',
      "_avax_exporter",
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join("\n");
    const out = execFileSync("bash", ["--norc", "-c", program, "bash", line], { cwd: folder, encoding: "utf8" });
    const found = out.split("\n").filter((each) => each !== "");
    expect(found.sort()).toEqual([...words].sort());
  });
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
