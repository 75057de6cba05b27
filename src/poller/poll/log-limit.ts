import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";

/** Seconds between two lines about the same thing. */
const EVERY = 60;
/** Keys that are known at once: a node also chooses the name of its network. */
const MOST_KEYS = 10_000;

/**
 * Limits lines about what a node can cause as often as it likes, such as a change of its ID: the first one of a minute is logged.
 * @returns for a key, the number of lines left out since the last one; `undefined` if this one is left out too
 */
export function createLogLimit(clock: Clock): (key: string) => number | undefined {
  const known = new Map<string, { at: number; omitted: number }>();
  return (key) => {
    const now = clock.elapsed();
    const last = known.get(key);
    if (last !== undefined && now - last.at < EVERY) {
      last.omitted++;
      return undefined;
    }
    if (known.size >= MOST_KEYS) known.clear();
    known.set(key, { at: now, omitted: 0 });
    return last?.omitted ?? 0;
  };
}

/** Lines of one kind that are logged within a minute, and names in the line about the others. */
const MOST_LINES = 10;
const MOST_NAMES = 3;

/**
 * Logs lines about nodes, of each node once a minute. Of ten thousand nodes behind a router that fails, ten have lines of their own:
 * the others are one line, with their number and three names.
 */
export function createNodeLog(clock: Clock, log: Pick<Log, "info" | "warn">) {
  const limit = createLogLimit(clock);
  type Crowd = {
    readonly level: "info" | "warn";
    readonly until: number;
    lines: number;
    more: number;
    names: string[];
  };
  const crowds = new Map<string, Crowd>();
  return {
    limit,
    note(level: "info" | "warn", message: string, data: { readonly node: string; readonly endpoint?: string }): void {
      const { node, endpoint = "" } = data;
      const omitted = limit(`${message} ${node} ${endpoint}`);
      if (omitted === undefined) return;
      const crowd = crowds.get(message) ?? { level, until: clock.elapsed() + EVERY, lines: 0, more: 0, names: [] };
      crowds.set(message, crowd);
      if (++crowd.lines <= MOST_LINES) log[level]({ ...data, omitted }, message);
      else if (crowd.more++ < MOST_NAMES) crowd.names.push(node);
    },
    /** Must be called once a second: logs what was left out of the minutes that are over, at the end of all. */
    tick(isEnd = false): void {
      for (const [message, { level, until, more, names }] of crowds) {
        if (clock.elapsed() < until && !isEnd) continue;
        crowds.delete(message);
        if (more > 0) log[level]({ more, nodes: names.join(" ") }, message);
      }
    },
  };
}
