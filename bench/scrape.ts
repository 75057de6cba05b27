import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { startLimits } from "./limits.ts";
import { median, milliseconds, rowOf, type Row } from "./measure.ts";

/**
 * The cost of a scrape with gzip of 100,000 series, 30 % of them set since the one before, beside that of other libraries with the
 * same series and values. Each runs in a process of its own, all take turns, and the CPU time of all threads counts.
 */

const WORK = "scrape of 100,000 series with gzip, 30 % changed";
const WARM_UP = 2;
const ROUNDS = 9;
const SCRAPES_A_ROUND = 3;

const CONTENDER = join(import.meta.dirname, "contender.ts");
const PEERS = join(import.meta.dirname, "peers");
const BUILT = join(import.meta.dirname, "../node_modules/.cache/bench/peers");

type Peer = { readonly name: string; readonly shown: string; readonly isGo: boolean; readonly least?: number };
const PROM_CLIENT: Peer = { name: "prom-client", shown: "prom-client, zlib level 6", isGo: false, least: 4 };
const GO_PEERS: readonly Peer[] = [
  { name: "client_golang", shown: "Go's client_golang, its handler, level 6", isGo: true, least: 1 },
  { name: "victoriametrics", shown: "VictoriaMetrics/metrics, Go's gzip level 6", isGo: true, least: 1 },
  { name: "victoriametrics-fast", shown: "VictoriaMetrics/metrics, klauspost/compress level 1", isGo: true },
];

type Contender = {
  /** Sets 30 % of the values and scrapes, several times; milliseconds of CPU a scrape. */
  readonly round: () => Promise<number>;
  /** Ends it; the lines of its last scrape. */
  readonly end: () => Promise<readonly string[]>;
};

function startContender(command: readonly string[], folder: string): Contender {
  const [program = "", ...args] = command;
  const file = join(folder, String(args.at(-1)));
  const child = spawn(program, [...args, file], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  let [turn, before] = [0, 0];
  const scrape = async (): Promise<number> => {
    child.stdin.write(`${++turn}\n`);
    const { done, value } = await answers.next();
    if (done === true) throw new Error(`${args.at(-1)} ended`);
    return Number(value);
  };
  return {
    async round() {
      let cpu = before;
      for (let i = 0; i < SCRAPES_A_ROUND; i++) cpu = await scrape();
      const used = (cpu - before) / SCRAPES_A_ROUND;
      before = cpu;
      return used;
    },
    async end() {
      const gone = once(child, "exit");
      child.stdin.end();
      await gone;
      return gunzipSync(readFileSync(file)).toString().split("\n");
    },
  };
}

/** Number and sum of the samples, which must be the same for all. */
function checksumOf(lines: readonly string[]): string {
  const values = lines.filter((line) => line.startsWith("avax_")).map((line) => Number(line.split(" ").at(-1)));
  return `${values.length} samples, ${values.reduce((sum, value) => sum + value, 0).toPrecision(10)} in all`;
}

/** The first build downloads their modules and takes a minute. @returns why they cannot run; undefined when they can */
async function buildGoPeers(): Promise<string | undefined> {
  try {
    await promisify(execFile)("go", ["build", "-o", BUILT, "."], { cwd: PEERS });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "code" in error && error.code === "ENOENT" ? "Go is not installed" : error.message.replaceAll("\n", " ");
  }
}

function rowWith({ shown, least }: Peer, ours: number, theirs: number): Row {
  const ratio = theirs / ours;
  return {
    ...rowOf(`${WORK} (peer: ${shown})`, milliseconds(ours)),
    peer: milliseconds(theirs),
    ratio: `${ratio.toFixed(2)}x`,
    ...(least === undefined ? {} : { target: `>= ${least}x`, met: ratio >= least }),
  };
}

/** @throws Error when the contenders do not have the same samples */
export async function benchScrape(): Promise<readonly Row[]> {
  const missing = await buildGoPeers();
  const peers = [PROM_CLIENT, ...(missing === undefined ? GO_PEERS : [])];
  const folder = mkdtempSync(join(tmpdir(), "avax-bench-"));
  const script = [process.execPath, ...startLimits(), CONTENDER];
  const commands = [[...script, "exporter"], ...peers.map(({ name, isGo }) => [...(isGo ? [BUILT] : script), name])];
  try {
    const contenders = commands.map((command) => ({ ...startContender(command, folder), rounds: [] as number[] }));
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const contender of contenders) {
        const cpu = await contender.round();
        if (round >= 0) contender.rounds.push(cpu);
      }
    const sums = await Promise.all(contenders.map(async ({ end }) => checksumOf(await end())));
    if (new Set(sums).size !== 1) throw new Error(`the contenders' samples differ: ${sums.join("; ")}`);
    const [ours = NaN, ...theirs] = contenders.map(({ rounds }) => median(rounds));
    const measured = peers.map((peer, at) => rowWith(peer, ours, theirs[at] ?? NaN));
    if (missing === undefined) return measured;
    const notRun = GO_PEERS.map(({ shown }) => rowOf(`${WORK} (peer: ${shown})`, milliseconds(ours)));
    return [...measured, ...notRun.map((row) => ({ ...row, peer: `not run: ${missing}` }))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
