import type { Step } from "../../daemon/examine.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { System } from "../../daemon/system.ts";

/** Shows how far a long command is, on standard error. */
export type Progress = {
  readonly show: (step: Step) => void;
  /** Clears the bar. */
  readonly end: () => void;
};

/** Columns of the bar. */
const BAR = 24;
/** Seconds between two lines where standard error is not a terminal: a short run writes none. */
const LINE_EVERY = 3;
const CLEAR = "\r\u001b[K";

/** A bar on a terminal, which `end` removes; otherwise a line each few seconds. */
export function createProgress(
  { err, isErrorTerminal }: Pick<System, "err" | "isErrorTerminal">,
  clock: Pick<Clock, "elapsed">,
): Progress {
  let last = clock.elapsed();
  let shown = "";
  return {
    show(step) {
      const text = textOf(step);
      if (text === shown) return;
      if (isErrorTerminal === true) err(`${CLEAR}${barOf(step)} ${text}`);
      else if (clock.elapsed() - last < LINE_EVERY) return;
      else err(`${text}\n`);
      last = clock.elapsed();
      shown = text;
    },
    end() {
      if (isErrorTerminal === true && shown !== "") err(CLEAR);
      shown = "";
    },
  };
}

/** On a terminal: what a command waits for and since when, from the first second on. */
export async function waiting<T>(
  { err, isErrorTerminal }: Pick<System, "err" | "isErrorTerminal">,
  what: string | (() => string),
  result: Promise<T>,
): Promise<T> {
  if (isErrorTerminal !== true) return result;
  let seconds = 0;
  const timer = setInterval(() => err(`${CLEAR}${typeof what === "string" ? what : what()}: ${++seconds} s`), 1000);
  try {
    return await result;
  } finally {
    clearInterval(timer);
    if (seconds > 0) err(CLEAR);
  }
}

function textOf({ name, done, total }: Step): string {
  const nodes = total === 1 ? "1 node" : `${total} nodes`;
  if (name === "polling") return `polled ${done} of ${nodes}`;
  return name === "comparing" ? `comparing ${nodes}` : `diagnosing ${nodes}`;
}

function barOf({ done, total }: Step): string {
  const full = total === 0 ? BAR : Math.round((BAR * done) / total);
  return `[${"#".repeat(full)}${"-".repeat(BAR - full)}]`;
}
