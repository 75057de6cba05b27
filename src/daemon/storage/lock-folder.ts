import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import type { Shard } from "../shard/shard.ts";

/** Milliseconds for the other exporter to say who it is: its event loop can be busy. */
const ANSWER_MS = 1_000;

type Lock = {
  /** The exporter that has the directory, in its own words; `undefined` when this one has it. */
  readonly other?: string | undefined;
  /** Gives the directory free. */
  readonly release: () => void;
};

const NOTHING: Lock = { release: () => undefined };

/** Bytes of the path of a socket: the limit of the system is 104 or 108, and a longer path could be cut. */
const LONGEST_PATH = 100;

/**
 * Takes the files of a shard in a directory for this process: two exporters would overwrite each other's state in silence. The lock is a
 * Unix socket in the directory: it ends with its process, however that ends, and holds between containers that share the directory.
 * Where sockets are not possible (a long path, a network file system) there is no lock.
 * @param self who this exporter is, for the other one
 */
export async function lockFolder(folder: string, { index, total }: Shard, self: string): Promise<Lock> {
  // Prometheus keeps its data in data/, too, with a file `lock`: one that finds ours there does not start.
  const path = join(folder, total === 1 ? "avax-exporter.lock" : `avax-exporter-${index}.lock`);
  if (Buffer.byteLength(path) > LONGEST_PATH) return NOTHING;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // Who opens the files there reports it.
    return NOTHING;
  }
  const server = createServer((socket) => void socket.on("error", () => undefined).end(self));
  let found = await listening(server, path);
  if (found === "EADDRINUSE" && !isForeign(path)) {
    const other = await holderOf(path);
    if (other !== undefined) return { ...NOTHING, other };
    // Its process is gone.
    rmSync(path, { force: true });
    found = await listening(server, path);
  }
  if (found !== undefined) return NOTHING;
  server.unref();
  return { release: () => void server.close() };
}

/** Whether another program's file has the name: it is not removed. */
const isForeign = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false;

/** Listens; the error code when that is not possible. */
function listening(server: Server, path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
  server.listen(path, () => resolve(undefined));
  return promise;
}

/** What the process at a socket says; `undefined` when nobody listens there. */
async function holderOf(path: string): Promise<string | undefined> {
  const socket = createConnection(path);
  const silent = after(ANSWER_MS, "an exporter that does not answer");
  const said = await Promise.race([text(socket).catch(() => undefined), silent]);
  socket.destroy();
  return said?.slice(0, 200);
}
