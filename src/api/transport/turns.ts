/**
 * Divides the event loop among large answers that are being read: the one with the least left goes on, the others wait as bytes.
 * Read by turns all at once, the values of every half-read answer are alive: with 1,000 nodes of the main network on a core that
 * is too slow for them, collections took 40 % of the time, and a turn of the event loop as many slices as there were answers.
 */
export type Turns = {
  /**
   * Resolves when a reading can go on, at once where it is the next one and this turn of the event loop has time left.
   * @param left what is left to read, in bytes or rows
   */
  readonly next: (left: number) => Promise<void>;
};

/** Of a turn of the event loop, milliseconds for reading. */
const BUDGET_MS = 2;

type Waiting = { readonly left: number; readonly proceed: () => void };

/** @param clock milliseconds, and a call in the next turn of the event loop; for tests */
export function createTurns(clock: {
  readonly now: () => number;
  readonly nextTurn: (call: () => void) => void;
}): Turns {
  /** The one with the least left is the last; of equals the one that has waited longest. */
  const waiting: Waiting[] = [];
  let [endsAt, scheduled] = [0, false];

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    clock.nextTurn(() => {
      scheduled = false;
      endsAt = clock.now() + BUDGET_MS;
      waiting.pop()?.proceed();
      if (waiting.length > 0) schedule();
    });
  }

  return {
    next(left) {
      const first = waiting.at(-1);
      if ((first === undefined || left < first.left) && clock.now() < endsAt) return Promise.resolve();
      return new Promise((proceed) => {
        const place = waiting.findIndex((each) => each.left <= left);
        waiting.splice(place === -1 ? waiting.length : place, 0, { left, proceed });
        schedule();
      });
    },
  };
}
