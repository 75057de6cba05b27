import { nodeOf, type Entry, type PastEvent, type PastProblem } from "./entry.ts";
import type { History } from "./history.ts";
import { SLOT, slotsOf, stripsOf, unknownOf } from "./strip.ts";

/** What happened, as `/api/v1/history` answers. Times are Unix seconds. */
export type Day = Readonly<ReturnType<typeof dayOf>>;

/** A problem of the history. */
export type DayProblem = Readonly<ReturnType<typeof problemOf>>;

/** Another event of the history. */
export type DayEvent = Readonly<ReturnType<typeof eventOf>>;

type Asked = {
  readonly now: number;
  readonly since: number;
  /** Only this node; entries without a node are left out. */
  readonly node?: string | undefined;
  /** The nodes with a strip; default: all. */
  readonly strips?: "touched";
};

/** Seconds of a day. */
export const DAY = 86_400;

/** What happened since `since`. */
export function dayOf(history: History, { now, since, node, strips }: Asked) {
  const entries = history.entries.filter(
    (entry) => (entry.to ?? now) >= since && (node === undefined || nodeOf(entry) === node),
  );
  const problems = entries.filter((entry) => entry.kind === "problem");
  const events = entries.filter((entry) => entry.kind !== "problem");
  const touched = new Set([...problems, ...events].flatMap((entry) => nodeOf(entry) ?? []));
  const names = [...history.nodes.keys()].filter((name) => strips !== "touched" || touched.has(name)).sort(byNumber());
  const slots = slotsOf(since, now);
  const wanted = node === undefined ? names : names.filter((name) => name === node);
  return {
    now,
    /** The requested beginning. */
    since,
    /** Since when the history is complete; later than `since` when the exporter has no record of the time before. */
    from: Math.max(since, history.completeSince ?? now),
    /** Whether there was too much to keep. */
    cut: history.cut,
    problems: newestFirst(problems).map((entry) => problemOf(entry, now)),
    events: newestFirst(events).map((entry) => eventOf(entry, now)),
    /** Oldest first. */
    unknown: unknownOf(history, since, now).filter((each) => node === undefined || (each.node ?? node) === node),
    slotSeconds: SLOT,
    slotsFrom: slots.from,
    strips: [...stripsOf(history, wanted, slots)].map(([name, states]) => ({ node: name, slots: states })),
  };
}

/** `sim-2` comes before `sim-10`. Made when it is needed: it takes 3 MB of memory. */
function byNumber(): (a: string, b: string) => number {
  return new Intl.Collator("en", { numeric: true }).compare;
}

function newestFirst<T extends Entry>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => b.from - a.from || b.id - a.id);
}

function timesOf({ from, to, ...entry }: Entry, now: number) {
  const unknown = "unknownSince" in entry ? entry.unknownSince : undefined;
  return {
    began: from,
    /** `undefined` while it is open or unknown. */
    ended: to,
    /** Since when its node does not answer, and it is neither open nor over. */
    unknownSince: unknown,
    /** From its beginning to its end, to the time since when it is unknown, or until now. */
    seconds: Math.max(0, (to ?? unknown ?? now) - from),
  };
}

function problemOf(entry: PastProblem, now: number) {
  const { alert, severity, labels, summary } = entry;
  const { node, network } = labels;
  // Without a node it is about a network or the exporter.
  return { alert, severity, node, network, labels, summary, ...timesOf(entry, now) };
}

function eventOf(entry: PastEvent, now: number) {
  return { kind: entry.kind, node: nodeOf(entry), text: textOf(entry), ...timesOf(entry, now) };
}

function textOf(entry: PastEvent): string {
  switch (entry.kind) {
    case "unanswered":
      return `${entry.node} ${entry.to === undefined ? "does" : "did"} not answer`;
    case "restarted":
      return `${entry.node} restarted`;
    case "version":
      return `${entry.node} changed its version from ${entry.was} to ${entry.is}`;
    case "replaced":
      return `${entry.node} changed its node ID from ${entry.was} to ${entry.is}`;
    case "started":
      return entry.to === entry.from
        ? "the exporter started, without an earlier record"
        : "the exporter started; nothing is known of the time before";
    case "unevaluated":
      return "the exporter evaluated no conditions";
    case "reloaded":
      return "the configuration was reloaded";
    case "reload_failed":
      return "a reload of the configuration failed";
  }
}
