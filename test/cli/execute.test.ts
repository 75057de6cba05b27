import { expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { revisionOf } from "../../src/daemon/revision-of.ts";
import { writtenSystem } from "../support/written-system.ts";

async function executed(...args: readonly string[]) {
  const { system, written } = writtenSystem();
  return { code: await execute(args, system), ...written };
}

it("prints version and revision, with any command", async () => {
  const root = new URL("../..", import.meta.url).pathname;
  for (const args of [["--version"], ["once", "--version"]]) {
    const { code, out, err } = await executed(...args);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^avax-exporter \d+\.\d+\.\d+ \((?:[0-9a-f]{7}|unknown)\), node v24\n$/);
    expect(out).toContain(`(${revisionOf(root)})`);
  }
});

it("prints the help of the program, of a command, and of call, on standard output", async () => {
  expect(await executed("-h")).toMatchObject({ code: 0, err: "" });
  expect((await executed("--help")).out).toContain("Usage: avax-exporter [command] [flags]\n");
  expect((await executed("once", "--help")).out).toContain("Usage: avax-exporter once [flags]\n");
  expect((await executed("doctor", "--help")).out).toContain("Usage: avax-exporter doctor [flags] [URL...]\n");
  expect((await executed("call", "--help")).out).toContain("Usage: avax-exporter call [flags] NODE METHOD [JSON]\n");
});

it.each([
  [["doctr"], 'unknown command "doctr"; did you mean "doctor"?', "--help"],
  [["doctor", "--doctor.timeout=soon"], '--doctor.timeout: "soon" is not a duration such as 30s', "doctor --help"],
])("prints the problem of %j on standard error, and exits with 2", async (args, problem, help) => {
  expect(await executed(...args)).toEqual({ code: 2, out: "", err: `avax-exporter: ${problem}\nTry ${help}.\n` });
});
