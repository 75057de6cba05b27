import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { startLimits } from "./limits.ts";
import {
  atMost,
  median,
  megabytes,
  milliseconds,
  pause,
  requested,
  residentBytes,
  until200,
  type Row,
} from "./measure.ts";
import { nodesOf, startNetwork, writeConfig } from "./processes.ts";

/**
 * Start and memory of an exporter of one node from a clone, as `npm start` runs it. Times count from the start of the process; this
 * process sends a request every 10 ms. It is started once before, so that files and the compile cache are read from memory. The
 * peer, which takes turns, is a server of `node:http` that answers one character: how fast the machine is now.
 */

const PROGRAM = join(import.meta.dirname, "../bin/avax-exporter.mjs");
const EMPTY =
  'require("node:http").createServer((_, reply) => reply.end("x")).listen(Number(process.argv[1]), "127.0.0.1")';

/** After the start: the first round of polls is over. */
const SETTLED_AFTER_MS = 10_000;
const PATIENCE_MS = 30_000;

/** Milliseconds until it answered, and bytes. */
type Start = { readonly answers: number; readonly resident: number };

/** Starts Node.js with these arguments until it has answered, and whatever `settled` waits for. */
async function measured(args: readonly string[], url: string, settled: () => Promise<void>): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(child, "exit");
  try {
    await until200(url, PATIENCE_MS);
    const answers = performance.now() - began;
    await settled();
    return { answers, resident: residentBytes(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}

async function exporterStart(config: string): Promise<Start> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/metrics`;
  const flags = [
    `--config.file=${config}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--storage.path=",
    "--log.level=error",
  ];
  return measured([...startLimits(), PROGRAM, ...flags], url, async () => {
    await pause(SETTLED_AFTER_MS);
    const text = (await requested(url)).body.toString();
    if (!/^avax_node_up\{.*\} 1$/m.test(text)) throw new Error("the exporter does not reach its node");
  });
}

async function emptyStart(): Promise<Start> {
  const port = await freePort();
  return measured(["--eval", EMPTY, String(port)], `http://127.0.0.1:${port}/`, () => pause(1000));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Medians of several starts. */
export async function benchStart(quick: boolean): Promise<readonly Row[]> {
  const network = await startNetwork({ nodes: 1 });
  const { file, remove } = writeConfig({ nodes: nodesOf(network.nodes) });
  const [ours, empty]: [Start[], Start[]] = [[], []];
  try {
    await exporterStart(file);
    await emptyStart();
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      ours.push(await exporterStart(file));
      empty.push(await emptyStart());
    }
  } finally {
    remove();
    await network.close();
  }
  const row = (what: string, read: (start: Start) => number, most: number, write: (value: number) => string): Row => {
    const [value, peer] = [median(ours.map(read)), median(empty.map(read))];
    return {
      ...atMost(`one node, from a clone: ${what} (peer: an empty node:http)`, value, most, write),
      peer: write(peer),
      ratio: `${(value / peer).toFixed(1)}x`,
    };
  };
  return [
    row("/metrics answers", ({ answers }) => answers, 1000, milliseconds),
    row(`resident after ${SETTLED_AFTER_MS / 1000} s`, ({ resident }) => resident, 140e6, megabytes),
  ];
}
