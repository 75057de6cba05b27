import { SEVERITIES, type Alert, type Cause, type Severity } from "../../topics/define/alert.ts";
import { ALERTS } from "../../topics/all/alerts.ts";
import { coverOf } from "../../diagnosis/causes.ts";
import type { Track } from "./prometheus.ts";

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

/** An episode that no other one explains, and how many it explains: Alertmanager holds those back. */
export type Incident = Episode & { readonly consequences: number };

/** Labels that are not about the subject of an alert. */
const OF_SERIES: readonly string[] = ["__name__", "alertname", "alertstate", "severity"];

/** Episodes of an alert in a period: at each point the time when its condition began. @param until the end of the period */
export function episodesOf(tracks: readonly Track[], step: number, until: number): readonly Episode[] {
  return tracks.flatMap(({ labels: all, samples }) => {
    const alert = all["alertname"] ?? "";
    const labels = Object.fromEntries(Object.entries(all).filter(([label]) => !OF_SERIES.includes(label)));
    const severity = SEVERITIES.find((each) => each === all["severity"]);
    if (severity === undefined) return [];
    const last = new Map<number, number>();
    for (const [at, from] of samples) last.set(from, at);
    return [...last].map(([from, at]) => ({
      ...{ alert, severity, labels, from },
      until: at > until - 2 * step ? undefined : at,
    }));
  });
}

/** Groups episodes by cause: what an episode that fires at the same time explains is counted with it. The longest incidents first. */
export function incidentsOf(
  episodes: readonly Episode[],
  end: number,
  alerts: readonly Alert[] = ALERTS,
): readonly Incident[] {
  const causes = relationsOf(alerts);
  const byAlert = Map.groupBy(episodes, ({ alert }) => alert);
  const parentOf = (episode: Episode): Episode | undefined =>
    (causes.get(episode.alert) ?? [])
      .flatMap((relation) =>
        (byAlert.get(relation.alert) ?? []).filter((other) => explains(relation, other, episode, end)),
      )
      .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.from - b.from)[0];
  const parents = new Map(episodes.map((episode) => [episode, parentOf(episode)]));
  const consequences = new Map<Episode, number>();
  const roots: Episode[] = [];
  for (const episode of episodes) {
    const root = rootOf(episode, parents);
    if (root === episode) roots.push(episode);
    else if (episode.severity !== "none") consequences.set(root, (consequences.get(root) ?? 0) + 1);
  }
  return roots
    .map((episode) => ({ ...episode, consequences: consequences.get(episode) ?? 0 }))
    .filter(({ severity, consequences: count }) => severity !== "none" || count > 0)
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.from - b.from);
}

/** How long it lasted by the end of the period, seconds. */
export function lengthOf({ from, until }: Episode, end: number): number {
  return Math.max(0, (until ?? end) - from);
}

/** What the alert is about, as an operator names it. */
export function subjectOf({ labels }: Pick<Episode, "labels">): string {
  const names = ["name", "node", "node_id", "wallet", "subnet", "chain", "api", "network", "instance"] as const;
  return names.map((name) => labels[name] ?? "").find((name) => name !== "") ?? "";
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
  const where = Object.entries(cause.where ?? {});
  const joins: Relation["joins"] = (source, labels) =>
    cause.equal.every((label) => (source[label] ?? "") === (labels[label] ?? "")) &&
    where.every(([label, value]) => (source[label] ?? "") === value) &&
    covers(labels);
  return { ...cause, joins };
}

function explains({ joins }: Relation, cause: Episode, episode: Episode, end: number): boolean {
  return (
    cause !== episode &&
    cause.from <= (episode.until ?? end) &&
    episode.from <= (cause.until ?? end) &&
    joins(cause.labels, episode.labels)
  );
}

/** The first cause of a chain. Two alerts can explain each other; the first of them is the cause then. */
function rootOf(episode: Episode, parents: ReadonlyMap<Episode, Episode | undefined>): Episode {
  const seen = [episode];
  for (;;) {
    const parent = parents.get(seen.at(-1) ?? episode);
    if (parent === undefined) return seen.at(-1) ?? episode;
    const at = seen.indexOf(parent);
    if (at >= 0)
      return seen.slice(at).toSorted((a, b) => a.from - b.from || (a.alert < b.alert ? -1 : 1))[0] ?? episode;
    seen.push(parent);
  }
}
