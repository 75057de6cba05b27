import cron from "node-cron";
import type { Log } from "../runtime/log.ts";

/**
 * Calls `tick` now and once a second. Slots and deadlines are computed elsewhere (`schedule.ts`), so a late tick delays polls by that
 * much and loses none. Messages of the library go to `log`, none to standard output.
 */
export function everySecond(tick: () => void, log: Log): { readonly stop: () => void } {
  let tickedAt = 0;
  const run = (): void => {
    tickedAt = Date.now();
    tick();
  };
  const start = () => {
    const note = (said: unknown): void => log.debug({ said: String(said) }, "poll grid");
    const error = (error: unknown): void => log.error({ err: error }, "defect in the poll grid");
    const task = cron.schedule("* * * * * *", run, { logger: { debug: note, info: note, warn: note, error } });
    // A listener keeps the library from printing. Polls that come too late for their slot are counted (`avax_polls_missed_total`).
    task.on("execution:missed", () => note("a tick was missed"));
    return task;
  };
  run();
  let task = start();
  // The library waits for the wall-clock time of the next tick: if the clock is set back, until that time comes again.
  const guard = setInterval(() => {
    if (Date.now() >= tickedAt) return;
    tickedAt = Date.now();
    void task.destroy();
    task = start();
  }, 1000);
  guard.unref();
  return {
    stop() {
      clearInterval(guard);
      void task.destroy();
    },
  };
}
