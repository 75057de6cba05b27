import type { System } from "../../daemon/system.ts";

/** Seconds between two lines where standard error is not a terminal: a short run writes none. */
const LINE_EVERY = 3;

/**
 * Shows on a terminal what a command waits for and since when, from the first second on. Elsewhere words that change are a line each
 * few seconds.
 */
export async function withProgress<T>(
  { err, progress }: Pick<System, "err" | "progress">,
  what: string | (() => string),
  result: Promise<T>,
): Promise<T> {
  let seconds = 0;
  let last = "";
  const show = (): void => {
    seconds += 1;
    const words = typeof what === "string" ? what : what();
    if (progress !== undefined) progress(`${words}: ${seconds} s`);
    else if (typeof what !== "string" && seconds % LINE_EVERY === 0 && words !== last) err(`${words}\n`);
    else return;
    last = words;
  };
  const timer = setInterval(show, 1000);
  try {
    return await result;
  } finally {
    clearInterval(timer);
    if (seconds > 0) progress?.("");
  }
}

/** Columns of the bar. */
const BAR = 24;

/** How far an examination of nodes is. */
export function progressBar(name: string, done: number, total: number): string {
  const full = total === 0 ? BAR : Math.round((BAR * done) / total);
  return `[${"#".repeat(full)}${"-".repeat(BAR - full)}] ${name} ${done} of ${total} node${total === 1 ? "" : "s"}`;
}
