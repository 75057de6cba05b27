/** A computation in short steps, between which other work can run. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Items per step: well below a millisecond of any work in this program. */
const ITEMS_PER_STEP = 100;

/** Calls `run` for each item, `size` items per step: `yield* inSteps(items, (item) => …)`. */
export function* inSteps<T>(items: Iterable<T>, run: (item: T) => void, size = ITEMS_PER_STEP): Work<void> {
  let since = 0;
  for (const item of items) {
    if (since++ === size) {
      yield;
      since = 1;
    }
    run(item);
  }
}
