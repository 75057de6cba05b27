import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

/** Seconds between two lines about the same thing. */
const EVERY = 60;
/** Keys that are known at once: a node also chooses the name of its network. */
const MOST_KEYS = 10_000;

/** Passes one line a minute about each thing: a node can cause some as often as it likes, such as a change of its ID. */
export type LogLimit = (key: string) => boolean;

export function createLogLimit(clock: Clock): LogLimit {
  const loggedAt = new Map<string, number>();
  return (key) => {
    const now = clock.elapsed();
    if (now - (loggedAt.get(key) ?? -Infinity) < EVERY) return false;
    if (loggedAt.size >= MOST_KEYS) loggedAt.clear();
    loggedAt.set(key, now);
    return true;
  };
}

type Line = Readonly<Record<string, unknown>> & { readonly node: string; readonly endpoint?: string };
type Level = "info" | "warn";

/** Lines of one kind that are logged within a minute, and names in the line about the others. */
const MOST_LINES = 10;
const MOST_NAMES = 3;

/** The lines of one kind within a minute: how many were logged, how many more there were, and the first nodes of those. */
type Crowd = { readonly level: Level; readonly until: number; readonly names: string[]; lines: number; more: number };

/**
 * Logs lines about nodes, of each node once a minute. Of ten thousand nodes behind a router that fails, ten have lines of their own:
 * the others are one line, with their number and three names.
 */
export class NodeLog {
  /** Passes one line a minute about each thing. */
  readonly limit: LogLimit;
  readonly #clock: Clock;
  readonly #log: Pick<Log, Level>;
  /** By message. */
  readonly #crowds = new Map<string, Crowd>();

  constructor(clock: Clock, log: Pick<Log, Level>) {
    this.limit = createLogLimit(clock);
    this.#clock = clock;
    this.#log = log;
  }

  /** Logs a line about a node, unless there was one of this kind within a minute. */
  note(level: Level, message: string, data: Line): void {
    const { node, endpoint = "" } = data;
    if (!this.limit(`${message} ${node} ${endpoint}`)) return;
    const until = this.#clock.elapsed() + EVERY;
    const crowd = this.#crowds.get(message) ?? { level, until, names: [], lines: 0, more: 0 };
    this.#crowds.set(message, crowd);
    if (++crowd.lines <= MOST_LINES) this.#log[level](data, message);
    else if (crowd.more++ < MOST_NAMES) crowd.names.push(node);
  }

  /** Must be called once a second: logs what was left out of the minutes that are over, at the end of all. */
  tick(isEnd = false): void {
    for (const [message, { level, until, more, names }] of this.#crowds) {
      if (this.#clock.elapsed() < until && !isEnd) continue;
      this.#crowds.delete(message);
      if (more > 0) this.#log[level]({ more, nodes: names.join(" ") }, message);
    }
  }
}
