import cron from "node-cron";

/**
 * Calls `tick` once a second. The grid and the deadlines are the runner's own (`grid.ts`), so a late tick delays polls by
 * that much and loses none.
 */
export function everySecond(tick: () => void): { readonly stop: () => void } {
  const task = cron.schedule("* * * * * *", tick, { name: "poll grid" });
  return { stop: () => void task.destroy() };
}
