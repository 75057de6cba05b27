import type { Alert } from "../topics/define/alert.ts";
import { secondsOf } from "../topics/all/alert-settings.ts";
import type { FindingKey } from "./causes.ts";
import type { Finding } from "./finding.ts";

/** A condition that is true in one evaluation. */
export type Observed = FindingKey & { readonly rule: { readonly alert: Alert } };

/** A true condition with what the earlier evaluations say about it. */
export type Tracked<T> = T & {
  /** The same for the same alert and labels. */
  readonly key: string;
  readonly state: Finding["state"];
  /** Unix seconds. */
  readonly since?: number;
};

/** What is remembered of a condition. Times are Unix seconds. */
type Mark = {
  readonly since: number;
  /** When an evaluation last found it true. */
  readonly seen?: number;
  readonly fired: boolean;
};

/** The conditions that were true, by key. */
export type Track = ReadonlyMap<string, Mark>;

/** A track after an evaluation. */
export type Continuation<T> = {
  readonly track: Track;
  /** The conditions that are true. */
  readonly listed: ReadonlyArray<Tracked<T>>;
  /** When each condition that left the track became false. */
  readonly ended: ReadonlyMap<string, number>;
};

/** Between two evaluations of a process that runs. A longer time is a clock that was set ahead, and proves no wait. Seconds. */
const LONGEST_GAP = 600;

type Evaluation<T> = {
  /** Unix seconds. */
  readonly now: number;
  readonly found: readonly T[];
  /** Alerts that could not be evaluated. */
  readonly failed: Pick<ReadonlySet<string>, "has">;
  /** Whether all nodes have been polled: before that a missing condition is unknown. */
  readonly settled: boolean;
};

/** The key of a condition. Order of the labels does not matter, nor the network of a node, which can become known later. */
export function keyOf({ alert, labels }: Pick<FindingKey, "alert" | "labels">): string {
  const isOfNode = "node" in labels;
  let key: string = alert;
  for (const name of Object.keys(labels).sort())
    if (!isOfNode || name !== "network") key += `\0${name}\0${labels[name] ?? ""}`;
  return key;
}

/**
 * Continues the track with an evaluation, as Prometheus does with `for`. A condition that was not
 * evaluated is unknown: it stays in the track and is not listed.
 */
export function continueTrack<T extends Observed>(
  before: Track,
  { now, found, failed, settled }: Evaluation<T>,
): Continuation<T> {
  const track = new Map<string, Mark>();
  const ended = new Map<string, number>();
  const listed: Array<Tracked<T>> = [];
  for (const each of found) {
    const key = keyOf(each);
    const { alert } = each.rule;
    const mark = before.get(key);
    const lapsed = mark?.fired === false && now - (mark.seen ?? now) > LONGEST_GAP;
    // A clock that was set back must not begin a condition in the future.
    const since = lapsed ? now : Math.min(mark?.since ?? now, now);
    const fired = mark?.fired === true || now - since >= secondsOf(alert);
    track.set(key, { since, fired, seen: now });
    listed.push({ ...each, key, since, state: fired ? "firing" : "pending" });
  }
  for (const [key, mark] of before) {
    if (track.has(key)) continue;
    if (!settled || failed.has(key.slice(0, key.indexOf("\0")))) {
      track.set(key, mark);
      continue;
    }
    ended.set(key, now);
  }
  return { track, listed, ended };
}
