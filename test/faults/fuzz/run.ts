import { registerHooks } from "node:module";
import { spawnSync } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parseArgs } from "node:util";
import type { FuzzResult } from "./fuzz.ts";

/** `npm run fuzz -- --seed=7 --runs=100000`: mutated answers through the exporter; exit code 1 if anything does not hold. */

const { values } = parseArgs({ options: { seed: { type: "string" }, runs: { type: "string" } } });
const seed = Number(values.seed ?? process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 1e9));
const runs = Number(values.runs ?? process.env["FUZZ_RUNS"] ?? 1_000_000);

setFlagsFromString("--expose-gc");
globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;

// The bytes of the answers enter where the exporter gets its connections.
const client = new URL("answering-client.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "undici" && context.parentURL?.endsWith("/transport/open-connection.ts") === true
      ? { url: client, shortCircuit: true }
      : next(specifier, context),
});

const say = (line: string) => process.stdout.write(`${line}\n`);
let unhandled = 0;
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) => {
    if (unhandled++ < 5) say(`${event}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  });

say(`seed ${seed}, ${runs} answers`);
const { fuzz } = await import("./fuzz.ts");
const before = process.cpuUsage();
const found = await fuzz({ runs, seed, progress: say });
const { user, system } = process.cpuUsage(before);
summarize(found, (user + system) / 1e6);
process.exit(found.problems.size + unhandled + promtool(found.text) === 0 ? 0 : 1);

function summarize({ answers, series, heap, longest, logged, problems }: FuzzResult, cpu: number): void {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  say(`${answers} answers in ${cpu.toFixed(1)} s of processor time`);
  say(`series: ${series.first} at first, ${series.most} at most`);
  say(`heap: ${mb(heap.first)} at first, ${mb(heap.most)} at most`);
  for (const [ms, about] of longest) say(`turn of ${ms.toFixed(1)} ms: ${about.slice(0, 300)}`);
  for (const [line, count] of logged) say(`logged ${count} times: ${line}`);
  for (const [problem, count] of [...problems].sort(([, a], [, b]) => b - a))
    say(`PROBLEM, ${count} times: ${problem}`);
  say(
    problems.size + unhandled === 0
      ? `everything holds, seed ${seed}`
      : `${problems.size + unhandled} problems, seed ${seed}`,
  );
}

/** 1 if promtool finds an error in the last exposition, 0 if not, or if there is no promtool. */
function promtool(text: string): number {
  const { status, stderr, error } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  if (error !== undefined) say("promtool is not there: not compared with it");
  // 3 is for advice about names.
  if (error !== undefined || status === 0 || status === 3) return 0;
  say(`promtool: ${stderr.slice(0, 1000)}`);
  return 1;
}
