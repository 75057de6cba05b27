import type { Continued } from "../diagnosis/diagnose.ts";
import type { Tracking } from "../diagnosis/doctor.ts";
import { keyOf, type Track } from "../diagnosis/track.ts";
import { NO_HISTORY, observe, reloaded, type Evaluation, type History } from "../diagnosis/history/observe.ts";
import type { Log } from "../runtime/log.ts";
import type { Storage } from "./storage/storage.ts";

type WatchingOptions = {
  /** Default: the history ends with the process. */
  readonly file: Storage["history"] | undefined;
  /** Whether all nodes have been polled. */
  readonly settled: () => boolean;
  readonly log: Log;
};

/** Records the diagnoses of a daemon as the history of the day, from the history that its file has. */
export type Watching = {
  readonly history: () => History;
  /** Must be called after each reload of the configuration; `at` in Unix seconds. */
  readonly reloaded: (ok: boolean, at: number) => void;
  /** For the doctor whose diagnoses are recorded. */
  readonly tracking: Tracking;
};

/** Continues the history of the file, where there is one. */
export function createWatching({ file, settled, log }: WatchingOptions): Watching {
  let history = file?.history ?? NO_HISTORY;

  function take(next: History): void {
    history = next;
    file?.write(history);
  }

  return {
    history: () => history,
    reloaded: (ok, at) => take(reloaded(history, ok, at)),
    tracking: {
      settled,
      track: trackOf(history),
      continued(next) {
        if (next.settled) take(observe(history, evaluationOf(next)));
      },
      failed: (error) => log.error({ err: error }, "diagnosis failed"),
    },
  };
}

/** Problems that were open when the process before this one ended continue to fire. */
function trackOf({ entries }: History): Track {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === "problem" && entry.to === undefined
        ? [[keyOf(entry), { since: entry.from, fired: true }] as const]
        : [],
    ),
  );
}

function evaluationOf({ diagnosis, track, causes, ended, nodes }: Continued): Evaluation {
  const summaries = new Map(diagnosis.problems.map((problem) => [keyOf(problem), problem.summary]));
  return {
    at: diagnosis.at,
    nodes,
    causes: causes.map((cause) => ({ ...cause, since: cause.since ?? diagnosis.at })),
    active: track,
    ended,
    // A diagnosis lists a thousand findings of an alert.
    summaryOf: ({ key, alert, labels }) =>
      summaries.get(key) ?? `${labels["node"] ?? labels["network"] ?? "this exporter"}: ${alert}`,
  };
}
