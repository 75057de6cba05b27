import { readFileSync } from "node:fs";

/** Ticks of Linux in a second. */
const TICKS = 100;

/** Processor seconds that a process has used; `undefined` where the system does not tell, or if it has ended. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    // The name of the program, in parentheses, can have spaces; user and system time are the 12th and 13th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}
