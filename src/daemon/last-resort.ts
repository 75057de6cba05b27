import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/log.ts";
import { terminalText } from "./terminal-text.ts";
import { aboutOf, versionText } from "./version.ts";

/** Lines of a stack that name the place; the rest are Node's own. */
const STACK_LINES = 6;

/** What a command prints when it ends by an error that it does not expect. */
export function defectText(error: unknown, nodeVersion: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = terminalText(stack).split("\n").slice(0, STACK_LINES);
  return `avax-exporter: defect, please report it with these lines: ${versionText(aboutOf({ nodeVersion }))}\n${lines.join("\n")}\n`;
}

/** Seconds between two log lines: an error can come back with every poll. */
const LOG_EVERY = 60;

/**
 * Handles an error that nothing else has caught, so that the polls of all nodes go on: counts it, and logs the first one of each
 * minute with the number of those since the last line.
 */
export function lastResort(events: Pick<PollEvents, "defect">, log: Log, clock: Clock): (error: unknown) => void {
  let quietUntil = -Infinity;
  let more = 0;
  return (error) => {
    events.defect("process", "");
    if (clock.elapsed() < quietUntil) {
      more++;
      return;
    }
    quietUntil = clock.elapsed() + LOG_EVERY;
    log.error({ err: error, more }, "defect outside of polls and pages");
    more = 0;
  };
}
