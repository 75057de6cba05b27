import { availableParallelism, loadavg } from "node:os";
import { get } from "node:http";
import { readFileSync } from "node:fs";

/** One line of the table: the work, the results of this exporter and of a peer, and whether the target was met. */
export type Row = {
  readonly work: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
  readonly target: string;
  readonly met: boolean;
};

/** A line without a peer; without a target it is for information only. */
export function rowOf(work: string, ours: string, target = "", met = true): Row {
  return { work, ours, peer: "", ratio: "", target, met };
}

/** A line whose value must not exceed `most`, both written by `write`. */
export function atMost(work: string, value: number, most: number, write: (value: number) => string): Row {
  return rowOf(work, write(value), `<= ${write(most)}`, value <= most);
}

/** Describes the machine, without which figures mean little: where others work on it (a load of some 0.1 is idle), they are worse. */
export function machineLine(): string {
  const machine = `${availableParallelism()} cores, node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return `${machine}, load before ${loadavg()[0]?.toFixed(1)}`;
}

/** The median, for an even number of values the upper one. NaN without values. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Resident memory of a process, bytes; NaN where the system does not report it. */
export function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  } catch {
    return NaN;
  }
}

/** CPU time of a process so far, milliseconds in steps of ten; NaN where the system does not report it. */
export function cpuOf(pid: number | undefined): number {
  try {
    // The name in brackets may hold spaces; after it the fields are counted from the third on.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return NaN;
  }
}

export type Reply = { readonly status: number; readonly body: Buffer; readonly ms: number };

/** Gets a URL over a connection of its own; `ms` is the time from the request to the last byte. @throws Error without an answer */
export function requested(url: string, encoding: "identity" | "gzip" = "identity"): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    get(url, { agent: false, headers: { "accept-encoding": encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const ms = performance.now() - began;
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), ms });
      });
    }).on("error", reject);
  });
}

/** Asks every 10 ms until the answer has the status 200. @throws Error when that takes longer than `most` milliseconds */
export async function until200(url: string, most: number): Promise<void> {
  const began = performance.now();
  for (;;) {
    const reply = await requested(url).catch(() => undefined);
    if (reply?.status === 200) return;
    if (performance.now() - began > most) throw new Error(`${url} has not answered with 200 within ${most / 1000} s`);
    await pause(10);
  }
}

/** "123 MB", in millions of bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
