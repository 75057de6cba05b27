/** A computation in short steps, so that its runner can give others their turn. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Items between two steps: well below a millisecond of any work that is done here. */
const ITEMS_A_STEP = 100;

/** Calls `run` for each item, `size` of them a step: `yield* inSteps(items, (item) => …)`. */
export function* inSteps<T>(items: Iterable<T>, run: (item: T) => void, size = ITEMS_A_STEP): Work<void> {
  let since = 0;
  for (const item of items) {
    if (since++ === size) {
      yield;
      since = 1;
    }
    run(item);
  }
}

/** Runs a computation to its end at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
