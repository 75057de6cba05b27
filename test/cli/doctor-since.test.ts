import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../src/cli/execute.ts";
import { NO_HISTORY, observe, type History } from "../../src/diagnosis/history/observe.ts";
import { startServer, type Running } from "../../src/http/server/start-server.ts";
import { evaluation, problem, START } from "../diagnosis/history/evaluations.ts";
import { dependencies } from "../http/fixtures.ts";
import { writtenSystem } from "../support/written-system.ts";

let running: Running;
let history: History;
const now = START + 7_300;

beforeAll(async () => {
  running = await startServer({ listen: "127.0.0.1:0" }, dependencies({ history: () => ({ history, now }) }).deps);
});
afterAll(() => running.close());

/** Evaluations every four minutes for two hours. */
function recorded(critical: boolean): History {
  let made = NO_HISTORY;
  const bad = problem("validator-1", { severity: "warning", since: START + 1_200 });
  for (let at = 0; at <= 7_200; at += 240) {
    const causes = [
      ...(at >= 1_440 && at < 3_600 ? [bad] : []),
      ...(critical && at > 6_000 ? [problem("b\u001b[31m", { since: START + 6_240 })] : []),
    ];
    const nodes = { "validator-1": { up: true }, "b\u001b[31m": { up: at !== 4_800 }, quiet: { up: true } };
    made = observe(made, evaluation({ at, causes, nodes }));
  }
  return made;
}

async function doctor(...args: readonly string[]) {
  const { system, written } = writtenSystem();
  const code = await execute(["doctor", ...args], system);
  return { code, ...written };
}

describe("doctor --since", () => {
  it("prints what happened", async () => {
    history = recorded(false);
    const { code, out, err } = await doctor("--since=4h", `--exporter=${running.address}/`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      [
        "2027-01-15 06:01:40 UTC to 2027-01-15 10:01:40 UTC: 1 problem, 0 open",
        "No record before 2027-01-15 08:00:00 UTC",
        "",
        "01-15 08:00                             event  exporter",
        "    the exporter started",
        "01-15 08:20  01-15 09:00  40 min        warning  validator-1",
        "    validator-1 is bad (AvaxBad)",
        "01-15 09:20  01-15 09:24  4 min         event  b [31m",
        "    b [31m did not answer",
        "",
      ].join("\n"),
    );
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("fails while a critical problem is open", async () => {
    history = recorded(true);
    const { code, out } = await doctor("--since=24h", `--exporter=${running.address}`);
    expect(code).toBe(1);
    expect(out).toContain("2 problems, 1 open");
    expect(out).toMatch(/01-15 09:44 {2}open {9}17 min 40 s {3}critical {2}b \[31m/);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("reports in one line that no exporter answers", async () => {
    const { code, err } = await doctor("--since=1h", "--exporter=http://127.0.0.1:9");
    expect([code, err]).toEqual([
      2,
      "avax-exporter doctor: no answer of http://127.0.0.1:9: refused: connection refused (ECONNREFUSED)\n",
    ]);
  });

  it.each([
    [["--exporter=http://127.0.0.1:1"], "--exporter needs --since, such as --since=24h"],
    [
      ["--since=1h", "http://127.0.0.1:9650"],
      "--since asks an exporter, not nodes: pass neither URLs nor --config.file",
    ],
    [["--since=1h", "--exporter=http://u:secret@a"], '--exporter: "http://…@a" is not a URL such as'],
  ])("%j is refused in words", async (args, words) => {
    const { code, err } = await doctor(...args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
