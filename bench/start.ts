import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLimits } from "./limits.ts";
import { cpuOf, median, megabytes, pause, residentBytes, rowOf, type Row } from "./measure.ts";
import { startNetwork } from "./processes.ts";

/**
 * Start time and memory of an exporter of one node, from a clone and as one file. Times count from the start of the exporter's
 * process; this process sends a request every 10 ms.
 */

const ROOT = join(import.meta.dirname, "..");
const RESIDENT_AFTER_MS = 10_000;
const PATIENCE_MS = 30_000;

/** `cpu`: CPU time until `/metrics` answered, which a busy machine disturbs less than the time. */
type Start = Targets & { readonly cpu: number };
type Targets = { readonly answers: number; readonly complete: number; readonly resident: number };

/** Starts `script` with a configuration file; milliseconds and bytes. */
async function measured(script: string, config: string): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  const args = [
    ...startLimits(),
    script,
    `--config.file=${config}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=error",
  ];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(child, "exit");
  try {
    await until(port, "/metrics", began);
    const answers = performance.now() - began;
    const cpu = cpuOf(child.pid);
    await until(port, "/-/ready", began);
    const complete = performance.now() - began;
    if (!/^avax_node_up\{.*\} 1$/m.test(await textOf(port, "/metrics")))
      throw new Error(`${script} does not reach its node`);
    await pause(RESIDENT_AFTER_MS - (performance.now() - began));
    return { answers, cpu, complete, resident: residentBytes(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}

async function until(port: number, path: string, began: number): Promise<void> {
  while ((await statusOf(port, path)) !== 200) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${path} does not answer with 200`);
    await pause(10);
  }
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  return (await reply(port, path))?.status;
}

async function textOf(port: number, path: string): Promise<string> {
  return (await reply(port, path))?.text ?? "";
}

/** `undefined` while the port is closed. */
function reply(port: number, path: string): Promise<{ readonly status: number; readonly text: string } | undefined> {
  return new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    }).on("error", () => resolve(undefined));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function rowsOf(work: string, starts: readonly Start[], most: Targets): readonly Row[] {
  const figure = (read: (start: Start) => number): number => median(starts.map(read));
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const row = (what: string, value: number, limit: number, write = ms): Row =>
    rowOf(`one node, ${work}: ${what}`, write(value), `< ${write(limit)}`, value < limit);
  const cpu = figure((start) => start.cpu);
  const resident = figure((start) => start.resident);
  return [
    row(
      "/metrics answers",
      figure((start) => start.answers),
      most.answers,
    ),
    rowOf(`one node, ${work}: CPU until /metrics answers`, ms(cpu)),
    row(
      "/metrics is complete",
      figure((start) => start.complete),
      most.complete,
    ),
    row("resident after 10 s", resident, most.resident, megabytes),
  ];
}

/** Medians of several alternating starts from a clone and, if it was built, from `dist`. */
export async function benchStart(quick: boolean): Promise<readonly Row[]> {
  const scripts = [
    {
      work: "from a clone",
      path: join(ROOT, "bin/avax-exporter.mjs"),
      most: { answers: 500, complete: 2000, resident: 125e6 },
    },
    {
      work: "bundled",
      path: join(ROOT, "dist/avax-exporter.mjs"),
      most: { answers: 250, complete: 1000, resident: 90e6 },
    },
  ].map((script) => ({ ...script, starts: [] as Start[] }));
  const network = await startNetwork({ nodes: 1 });
  const folder = mkdtempSync(join(tmpdir(), "avax-bench-"));
  const config = join(folder, "config.yaml");
  writeFileSync(config, JSON.stringify({ nodes: network.nodes.map(({ name, url }) => ({ name, url })) }));
  try {
    for (let round = 0; round < (quick ? 3 : 7); round++) {
      for (const { path, starts } of scripts) if (existsSync(path)) starts.push(await measured(path, config));
    }
  } finally {
    rmSync(folder, { recursive: true });
    await network.close();
  }
  return scripts.flatMap(({ work, starts, most }) =>
    starts.length > 0
      ? rowsOf(work, starts, most)
      : [rowOf(`one node, ${work}: not built (npm run build)`, "", "", false)],
  );
}

if (import.meta.main) console.table(await benchStart(process.argv.includes("--quick")));
