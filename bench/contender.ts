import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Gauge, Registry } from "prom-client";
import { createExposition } from "../src/exposition/exposition.ts";
import type { Family, Sample } from "../src/exposition/sample.ts";

/**
 * A contender of the scrape benchmark, this exporter or prom-client, in a process of its own. Started by scrape.ts with its name and
 * a file: for each line of input, a turn, it sets 30 % of the values, scrapes with gzip and prints the CPU time of the process so
 * far, milliseconds. At the end of the input it writes its last scrape to the file. `peers/main.go` has the same series.
 */

const TARGETS = 1000;
const CHAINS = ["C", "P", "X", "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5"];
const PARTS = "accepted height processing uptime stake connected budget latency peers weight".split(" ");
const FAMILIES: readonly Family[] = Array.from({ length: 25 }, (_, i) => ({
  name: `avax_chain_measure_${part(i)}_${i}_${i % 3 === 0 ? "seconds" : "ratio"}`,
  help: `What the node says about ${part(i)} ${i} of this chain (info.${part(i * 7)}).`,
  type: "gauge",
}));

function part(i: number): string {
  return PARTS[i % PARTS.length] ?? "";
}

type Samples = ReadonlyArray<Sample<"chain", number>>;
/** Sets the values of a family and target; those of the four chains change together, as they come from one answer. */
type Write = (family: Family, labels: Readonly<Record<"node" | "network", string>>, samples: Samples) => void;
type Contender = { readonly write: Write; readonly scrape: () => Promise<readonly Buffer[]> };

/** Renders the lines of what changed, joins all lines and compresses them (at level 1). */
function exporter(): Contender {
  const exposition = createExposition(FAMILIES);
  return {
    write(family, labels, samples) {
      exposition.set(family.name, labels.node, labels, samples);
    },
    scrape: () => Promise.resolve([exposition.scrape({ format: "text", gzip: true })]),
  };
}

/** It does not compress: this is the default level of zlib (6), which Express's middleware uses too. */
function promClient(): Contender {
  const registry = new Registry();
  const labelNames = ["node", "network", "chain"];
  const gauges = new Map(
    FAMILIES.map(({ name, help }) => [name, new Gauge({ name, help, labelNames, registers: [registry] })]),
  );
  const zip = promisify(gzip);
  return {
    write({ name }, labels, samples) {
      for (const [own, value] of samples) gauges.get(name)?.set({ ...labels, ...own }, value ?? NaN);
    },
    scrape: async () => [await zip(await registry.metrics())],
  };
}

/** Heights, ratios, flags and times: digits that neither repeat nor are pure noise. */
function valueOf(family: number, target: number, chain: number, turn: number): number {
  const seed = (family * 7919 + target * 104729 + chain * 1299709 + turn * 15485863) % 1000003;
  const values = [61_000_000 + (seed % 5000), seed / 1000003, seed % 2, 1_750_000_000 + (seed % 86400) / 1000];
  return values[family % 4] ?? NaN;
}

function writeAll(write: Write, turn: number, changes: (family: number, target: number) => boolean): void {
  for (const [index, family] of FAMILIES.entries())
    for (let target = 0; target < TARGETS; target++) {
      if (!changes(index, target)) continue;
      const node = `validator-${String(target).padStart(4, "0")}`;
      const samples = CHAINS.map((chain, at) => [{ chain }, valueOf(index, target, at, turn)] as const);
      write(family, { node, network: "mainnet" }, samples);
    }
}

async function compete({ write, scrape }: Contender, file: string): Promise<void> {
  writeAll(write, 0, () => true);
  let last: readonly Buffer[] = [];
  const input = createInterface(process.stdin);
  input.on("line", (line) => {
    const turn = Number(line);
    writeAll(write, turn, (family, target) => (family * 7 + target * 3 + turn * 3) % 10 < 3);
    void scrape().then((chunks) => {
      last = chunks;
      const { user, system } = process.cpuUsage();
      console.log((user + system) / 1000);
    });
  });
  await once(input, "close");
  writeFileSync(file, Buffer.concat(last));
}

const [name, file = ""] = process.argv.slice(2);
await compete(name === "prom-client" ? promClient() : exporter(), file);
