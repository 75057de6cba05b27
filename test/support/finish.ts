import type { Work } from "../../src/runtime/work.ts";

/** Runs a computation to its end at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
