import cron from "node-cron";
import type { Log } from "../runtime/events.ts";

/** Ticks between two warnings about missed ones: a process that is always short of CPU must not flood the log. */
const WARN_EVERY = 60;

/**
 * Calls `tick` once a second. Slots and deadlines are computed elsewhere (`schedule.ts`), so a late tick delays polls by that
 * much and loses none. Messages of the library go to `log`, none to standard output.
 */
export function everySecond(tick: () => void, log: Log): { readonly stop: () => void } {
  let missed = 0;
  let ticks = WARN_EVERY;
  let tickedAt = 0;
  const run = (): void => {
    ticks++;
    tickedAt = Date.now();
    if (missed > 0 && ticks > WARN_EVERY) {
      log.warn(
        { seconds: missed },
        "ticks missed: the process had no CPU, the machine was suspended, or its clock was set",
      );
      missed = 0;
      ticks = 0;
    }
    tick();
  };
  const start = () => {
    const task = cron.schedule("* * * * * *", run, {
      name: "poll grid",
      logger: {
        debug: (said) => log.debug({ said: String(said) }, "poll grid"),
        info: (said) => log.info({ said }, "poll grid"),
        warn: (said) => log.warn({ said }, "poll grid"),
        error: (error) => log.error({ err: error }, "defect in the poll grid"),
      },
    });
    // A listener keeps the library from printing; after a suspension there is one event per second.
    task.on("execution:missed", () => void missed++);
    return task;
  };
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
