import { availableParallelism } from "node:os";
import { readFileSync } from "node:fs";

/** One line of the table: what was done, how we and a peer did, and whether the target was met. */
export type { Row } from "./scrape.ts";

/** What the machine was, since figures mean little without it. */
export function machineLine(): string {
  return `${availableParallelism()} cores, node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** The middle value; of an even number of values the upper of the two in the middle. NaN when there is none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Milliseconds of CPU of this process in all its threads, since the start. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resident memory of a process, bytes; NaN where the system does not tell. */
export function residentBytes(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) * 1024;
  } catch {
    return NaN;
  }
}

/** Milliseconds of CPU of a process so far, in steps of ten; NaN where the system does not tell. */
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

/** "123 MB", in millions of bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
