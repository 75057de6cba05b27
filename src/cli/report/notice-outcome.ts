import { parseDuration } from "../../config/base/units.ts";
import type { Alert, Cause, Severity } from "../../topics/define/alert.ts";
import { POLICY } from "../../../generate/rules/alert-policy.ts";
import { coverOf } from "../../diagnosis/causes.ts";

type Labels = Readonly<Record<string, string>>;

/** An alert that fired, from the beginning of its condition. Unix seconds. */
export type Episode = {
  readonly alert: string;
  readonly severity: Severity;
  readonly labels: Labels;
  readonly from: number;
  /** When it was last seen; `undefined` while it still fires at the end of the period. */
  readonly until: number | undefined;
};

/** An alert that fired, and what Alertmanager did. It did neither where the alert ended before its group was sent. */
export type NoticeOutcome = Episode & {
  /** Unix seconds. */
  readonly sentAt: number | undefined;
  /** The first alert that held it back, also where it was sent later. */
  readonly heldBy: string | undefined;
};

/**
 * What Alertmanager does with each episode as `export alertmanager` configures it: the groups wait, and an alert is held back while
 * one that explains it fires. Each alert counts as a group of its own. `until` is the moment from which an episode no longer fires.
 */
export function outcomesOf(
  episodes: readonly Episode[],
  alerts: readonly Alert[],
  end: number,
): readonly NoticeOutcome[] {
  const relations = relationsOf(alerts);
  const byAlert = Map.groupBy(episodes, ({ alert }) => alert);
  return episodes.map((episode) => {
    const { alert, labels, from, until = end } = episode;
    const sources = (relations.get(alert) ?? []).flatMap(({ alert: cause, joins }) =>
      (byAlert.get(cause) ?? []).filter(
        (other) => other.from <= until && from < (other.until ?? Infinity) && joins(other.labels, labels),
      ),
    );
    return { ...episode, ...fateOf(episode, sources, end) };
  });
}

function fateOf(
  { from, until, severity }: Episode,
  sources: readonly Episode[],
  end: number,
): Pick<NoticeOutcome, "sentAt" | "heldBy"> {
  const { groupWait, groupInterval } = POLICY[severity];
  const interval = parseDuration(groupInterval) ?? 0;
  const first = from + (parseDuration(groupWait) ?? 0);
  let heldBy: string | undefined;
  for (let at = first; until === undefined ? at <= end : at < until;) {
    const source = sources.find((each) => each.from <= at && at < (each.until ?? Infinity));
    if (source === undefined) return { sentAt: at, heldBy };
    heldBy ??= source.alert;
    at = first + interval * Math.ceil(((source.until ?? Infinity) - first) / interval);
  }
  return { sentAt: undefined, heldBy };
}

/** A cause that decides about labels. */
export type Relation = Cause & {
  /** Whether an alert with the first labels explains one with the others, as Alertmanager matches them. */
  readonly joins: (cause: Labels, labels: Labels) => boolean;
};

/** What explains each alert. */
export function relationsOf(alerts: readonly Alert[]): ReadonlyMap<string, readonly Relation[]> {
  return new Map(alerts.map(({ name, explainedBy = [] }) => [name, explainedBy.map(relationOf)]));
}

function relationOf(cause: Cause): Relation {
  const covers = coverOf(cause);
  const where = Object.entries(cause.sourceMatchers ?? {});
  const joins: Relation["joins"] = (source, labels) =>
    cause.equal.every((label) => (source[label] ?? "") === (labels[label] ?? "")) &&
    where.every(([label, value]) => (source[label] ?? "") === value) &&
    covers(labels);
  return { ...cause, joins };
}
