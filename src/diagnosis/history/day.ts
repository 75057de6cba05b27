import { nodeOf, type HistoryEntry, type PastEvent, type PastProblem } from "./history-entry.ts";
import type { History } from "./observe.ts";
import { stripsOf, unknownOf, type Strips, type Gap } from "./strips.ts";

/** What happened, as `/api/v1/history` answers. Times are Unix seconds. */
export type Day = Strips & {
  readonly now: number;
  /** The requested beginning. */
  readonly since: number;
  /** Since when the history is complete; later than `since` when the exporter has no record of the time before. */
  readonly from: number;
  /** Whether there was too much to keep. */
  readonly cut: boolean;
  /** Newest first. */
  readonly problems: readonly DayProblem[];
  readonly events: readonly DayEvent[];
  /** Oldest first. */
  readonly unknown: readonly Gap[];
};

/** When something lasted. */
type Lasting = {
  readonly began: number;
  /** `undefined` while it is open or unknown. */
  readonly ended: number | undefined;
  /** Since when its node does not answer, and it is neither open nor over. */
  readonly unknownSince: number | undefined;
  /** From its beginning to its end, to the time since when it is unknown, or until now. */
  readonly seconds: number;
};

/** A problem of the history. */
export type DayProblem = Lasting & {
  readonly alert: string;
  readonly severity: PastProblem["severity"];
  readonly node: string | undefined;
  readonly network: string | undefined;
  readonly labels: PastProblem["labels"];
  readonly summary: string;
};

/** Another event of the history. */
export type DayEvent = Lasting & {
  readonly kind: PastEvent["kind"];
  readonly node: string | undefined;
  readonly text: string;
};

/** Seconds of a day. */
export const DAY = 86_400;

type Asked = { readonly now: number; readonly since: number; readonly node?: string | undefined };

/** What happened since `since`; with `node` only what happened to it. */
export function dayOf(history: History, { now, since, node }: Asked): Day {
  const isWanted = (name: string | undefined): boolean => node === undefined || name === node;
  const entries = history.entries
    .filter((entry) => (entry.to ?? now) >= since && isWanted(nodeOf(entry)))
    .sort((a, b) => b.from - a.from || b.id - a.id);
  // `sim-2` comes before `sim-10`.
  const names = [...history.nodes.keys()].filter(isWanted).sort(new Intl.Collator("en", { numeric: true }).compare);
  return {
    now,
    since,
    from: Math.max(since, history.completeSince ?? now),
    cut: history.cut,
    problems: entries.filter((entry) => entry.kind === "problem").map((entry) => problemOf(entry, now)),
    events: entries.filter((entry) => entry.kind !== "problem").map((entry) => eventOf(entry, now)),
    unknown: unknownOf(history, since, now).filter((gap) => gap.node === undefined || isWanted(gap.node)),
    ...stripsOf(history, names, since, now),
  };
}

function timesOf({ from, to, ...entry }: HistoryEntry, now: number) {
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

function problemOf(entry: PastProblem, now: number): DayProblem {
  const { alert, severity, labels, summary } = entry;
  const { node, network } = labels;
  // Without a node it is about a network or the exporter.
  return { alert, severity, node, network, labels, summary, ...timesOf(entry, now) };
}

function eventOf(entry: PastEvent, now: number): DayEvent {
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
      return "the exporter started";
    case "unevaluated":
      return "the exporter evaluated no conditions";
    case "reloaded":
      return "the configuration was reloaded";
    case "reload_failed":
      return "a reload of the configuration failed";
  }
}
