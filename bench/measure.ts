import { availableParallelism } from "node:os";
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

/** Describes the machine, without which figures mean little. */
export function machineLine(): string {
  return `${availableParallelism()} cores, node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** The median, for an even number of values the upper one. NaN without values. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** CPU time of all threads of this process since its start, milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resident memory of a process, bytes; NaN where the system does not report it. */
export function residentBytes(pid: number | undefined): number {
  return statusBytes(pid, "VmRSS");
}

/** The part of it that is not from files, which other processes can share and the kernel can drop. */
export function anonymousBytes(pid: number | undefined): number {
  return statusBytes(pid, "RssAnon");
}

function statusBytes(pid: number | undefined, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
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

/** "123 MB", in millions of bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
