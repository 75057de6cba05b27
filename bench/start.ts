import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLimits, startVariables } from "./limits.ts";
import { anonymousBytes, cpuOf, median, megabytes, pause, residentBytes, rowOf, type Row } from "./measure.ts";
import { startNetwork } from "./processes.ts";

/**
 * Start time and memory of an exporter of one node, in each form in which it is shipped. Times count from the start of the exporter's
 * process; this process sends a request every 10 ms. Each form is started once before, so that files and caches are read from
 * memory; the forms take turns. The peer is a server of `node:http` that answers a line: how fast the machine is now.
 */

const ROOT = join(import.meta.dirname, "..");
/** After the start: the first round and its collection of garbage are over. */
const SETTLED_AFTER_MS = 10_000;
const PATIENCE_MS = 30_000;

type Targets = {
  readonly answers: number;
  readonly complete: number;
  readonly resident: number;
  readonly anonymous?: number;
};
/** `cpu`: CPU time until `/metrics` answered, which a busy machine disturbs less than the time. */
type Start = Required<Targets> & { readonly cpu: number };

type Form = {
  readonly work: string;
  readonly file: string;
  /** The command that makes the file. */
  readonly made: string;
  /** The file is a program: it needs no Node.js and sets its own limits. */
  readonly isProgram?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly most?: Targets;
};

/** How long the empty server takes on the machine of the targets. */
const EMPTY_ANSWERS = 55;
const EMPTY =
  'require("node:http").createServer((_, reply) => reply.end("x")).listen(Number(process.argv[1]), "127.0.0.1")';

const PACKAGED: Targets = { answers: 250, complete: 1000, resident: 100e6, anonymous: 45e6 };

/** @param folder for the compile cache */
function formsIn(folder: string): readonly Form[] {
  const clone = { file: join(ROOT, "bin/avax-exporter.mjs"), made: "npm ci" };
  const bundle = { file: join(ROOT, "dist/avax-exporter.mjs"), made: "npm run build" };
  const program = { file: join(ROOT, "dist/avax-exporter"), made: "npm run build:exe" };
  return [
    { ...clone, work: "from a clone", most: { answers: 500, complete: 2000, resident: 125e6 } },
    { ...clone, work: "from a clone without its compile cache", env: { NODE_DISABLE_COMPILE_CACHE: "1" } },
    { ...bundle, work: "bundled", most: PACKAGED },
    { ...bundle, work: "bundled with a compile cache", env: { NODE_COMPILE_CACHE: join(folder, "compiled") } },
    { ...program, work: "executable", isProgram: true, most: PACKAGED },
  ];
}

/** Starts a form with a configuration file; milliseconds and bytes. */
async function measured({ file, isProgram, env }: Form, config: string): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  const flags = [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"];
  const [program, args] = isProgram === true ? [file, flags] : [process.execPath, [...startLimits(), file, ...flags]];
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...startVariables(), ...env },
  });
  const gone = once(child, "exit");
  try {
    await until(port, "/metrics", began);
    const answers = performance.now() - began;
    const cpu = cpuOf(child.pid);
    await until(port, "/-/ready", began);
    const complete = performance.now() - began;
    if (!/^avax_node_up\{.*\} 1$/m.test(await textOf(port, "/metrics")))
      throw new Error(`${file} does not reach its node`);
    await pause(SETTLED_AFTER_MS - (performance.now() - began));
    return { answers, cpu, complete, resident: residentBytes(child.pid), anonymous: anonymousBytes(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}

/** Milliseconds until the empty server answers. */
async function emptyStart(): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, ["--eval", EMPTY, String(port)], { stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(child, "exit");
  try {
    await until(port, "/", began);
    return performance.now() - began;
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

/** @param empty milliseconds until an empty server answers */
function rowsOf({ work, made, most }: Form, starts: readonly Start[], empty: number): readonly Row[] {
  if (starts.length === 0) return [rowOf(`one node, ${work}: not built (${made})`, "", "", false)];
  const row = (what: string, read: (start: Start) => number, limit?: number, write = milliseconds): Row => {
    const value = median(starts.map(read));
    const name = `one node, ${work}: ${what}`;
    return limit === undefined
      ? rowOf(name, write(value))
      : rowOf(name, write(value), `< ${write(limit)}`, value < limit);
  };
  return [
    answersRow(
      `one node, ${work}: /metrics answers`,
      median(starts.map((start) => start.answers)),
      empty,
      most?.answers,
    ),
    row("CPU until /metrics answers", (start) => start.cpu),
    row("/metrics is complete", (start) => start.complete, most?.complete),
    row("resident after 10 s", (start) => start.resident, most?.resident, megabytes),
    row("of it anonymous", (start) => start.anonymous, most?.anonymous, megabytes),
  ];
}

/** The target as a ratio to the empty server, because the same machine can be twice as slow an hour later. */
function answersRow(work: string, ours: number, empty: number, most: number | undefined): Row {
  const ratio = ours / empty;
  const row = { work, ours: milliseconds(ours), peer: milliseconds(empty), ratio: `${ratio.toFixed(1)}x the time` };
  if (most === undefined) return { ...row, target: "", met: true };
  const target = most / EMPTY_ANSWERS;
  return { ...row, target: `<= ${target.toFixed(1)}x (${most} of ${EMPTY_ANSWERS} ms)`, met: ratio <= target };
}

const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

/** Medians of several starts of each form; a form whose file was not made is a row without figures. */
export async function benchStart(quick: boolean): Promise<readonly Row[]> {
  const network = await startNetwork({ nodes: 1 });
  const folder = mkdtempSync(join(tmpdir(), "avax-bench-"));
  const config = join(folder, "config.yaml");
  writeFileSync(config, JSON.stringify({ nodes: network.nodes.map(({ name, url }) => ({ name, url })) }));
  const forms = formsIn(folder).map((form) => ({ form, starts: [] as Start[] }));
  const empty: number[] = [];
  const made = forms.filter(({ form }) => existsSync(form.file));
  try {
    for (const { form } of made) await measured(form, config);
    await emptyStart();
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      for (const { form, starts } of made) {
        starts.push(await measured(form, config));
        empty.push(await emptyStart());
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
    await network.close();
  }
  return forms.flatMap(({ form, starts }) => rowsOf(form, starts, median(empty)));
}

if (import.meta.main) console.table(await benchStart(process.argv.includes("--quick")));
