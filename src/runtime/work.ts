/** A computation in short steps, so that whoever runs it can give others their turn. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Items between two steps: well below a millisecond of any work that is done here. */
const STEP = 400;

/** Calls `run` for each item, with a step now and then. */
export function* forEach<T>(items: readonly T[], run: (item: T) => void): Work<void> {
  for (const [index, item] of items.entries()) {
    run(item);
    if (index % STEP === STEP - 1) yield;
  }
}

/** Runs a computation to its end at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
