import { SEVERITIES } from "../../topics/define/alert.ts";
import { ALERTS } from "../../topics/all/alerts.ts";
import { outcomesOf, type Episode } from "./notice-outcome.ts";
import type { RangeSeries } from "./prometheus-client.ts";

/** Labels that are not about the subject of an alert. */
const OF_SERIES: readonly string[] = ["__name__", "alertname", "alertstate", "severity"];

/** Episodes of alerts in a period: at each point the time when its condition began. @param until the end of the period */
function episodesOf(tracks: readonly RangeSeries[], step: number, until: number) {
  return tracks.flatMap(({ labels: all, samples }) => {
    const alert = all["alertname"] ?? "";
    const labels = Object.fromEntries(Object.entries(all).filter(([label]) => !OF_SERIES.includes(label)));
    const severity = SEVERITIES.find((each) => each === all["severity"]);
    if (severity === undefined) return [];
    return [...Map.groupBy(samples, ([, from]) => from)].map(([from, points]) => {
      const last = points.at(-1)?.[0] ?? from;
      return {
        alert,
        severity,
        labels,
        from,
        fired: points[0]?.[0] ?? from,
        until: last > until - 2 * step ? undefined : last,
      };
    });
  });
}

/** The pages and tickets that were sent, from the beginning of their conditions, the first one first. */
export function incidentsOf(tracks: readonly RangeSeries[], step: number, until: number): readonly Episode[] {
  const episodes = episodesOf(tracks, step, until);
  const firing = episodes.map(({ fired, until: last, ...each }) => ({
    ...each,
    from: fired,
    until: last === undefined ? undefined : last + step,
  }));
  const outcomes = outcomesOf(firing, ALERTS, until);
  return episodes
    .filter(
      ({ severity }, index) => outcomes[index]?.sentAt !== undefined && ["critical", "warning"].includes(severity),
    )
    .toSorted((a, b) => a.from - b.from);
}

/** How long it lasted by the end of the period, seconds. */
export function lengthOf({ from, until }: Pick<Episode, "from" | "until">, end: number): number {
  return Math.max(0, (until ?? end) - from);
}

/** What the alert is about, as an operator names it. */
export function subjectOf({ labels }: Pick<Episode, "labels">): string {
  const names = ["name", "node", "node_id", "wallet", "subnet", "chain", "api", "network", "instance"] as const;
  return names.map((name) => labels[name] ?? "").find((name) => name !== "") ?? "";
}
