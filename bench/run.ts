import { benchFleet } from "./fleet.ts";
import { machineLine, type Row } from "./measure.ts";
import { benchPoll } from "./poll.ts";
import { benchScrape } from "./scrape.ts";
import { benchSoak } from "./soak.ts";
import { benchStart } from "./start.ts";

/** Runs the benchmarks one after the other: `node bench/run.ts [--quick] [scrape|poll|fleet|start|soak ...]`. */

const BENCHMARKS: Readonly<Record<string, (quick: boolean) => Promise<readonly Row[]>>> = {
  scrape: () => benchScrape(),
  poll: benchPoll,
  fleet: benchFleet,
  start: benchStart,
  soak: benchSoak,
};

function table(rows: readonly Row[]): string {
  const cells = rows.map(({ work, ours, peer, ratio, target, met }) => [
    work,
    ours,
    peer,
    ratio,
    target,
    target === "" ? "" : met ? "yes" : "NO",
  ]);
  const lines = [["work", "ours", "peer", "ratio", "target", "met"], ...cells];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const written = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [written[0], rule, ...written.slice(1)].join("\n");
}

const words = process.argv.slice(2);
const quick = words.includes("--quick");
const names = words.filter((word) => !word.startsWith("--"));
const unknown = names.find((name) => BENCHMARKS[name] === undefined);
if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exitCode = 2;
} else {
  const machine = machineLine();
  const rows: Row[] = [];
  for (const [name, bench] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.error(`${name} ...`);
    rows.push(...(await bench(quick)));
  }
  console.log(`${machine}\n\n${table(rows)}`);
}
