import type { Alert } from "../topics/define/alert.ts";
import type { Reading } from "../exposition/sample.ts";
import type { Clock } from "../runtime/clock.ts";
import { diagnose, type Continued, type Words } from "./diagnose.ts";
import { ALERTS } from "../topics/all/alerts.ts";
import type { Diagnosis } from "./finding.ts";
import { onDemand } from "./on-demand.ts";
import { rulesOf, type Rules } from "./rules.ts";
import { samplesOf, type Readings } from "./samples.ts";
import type { Track } from "./track.ts";

/** What makes the diagnoses of a daemon continue each other. */
export type Tracking = {
  /** Whether all nodes have been polled. */
  readonly settled: () => boolean;
  /** What was known before the first diagnosis. */
  readonly track: Track;
  /** Called after each diagnosis. */
  readonly continued?: (next: Continued) => void;
  /** Called when a diagnosis in the background fails. */
  readonly failed: (error: unknown) => void;
};

type DoctorOptions = {
  /** Reads what has changed. */
  readonly snapshot: () => Readings;
  /** Series of the process's own metrics, by family. */
  readonly own?: () => Promise<ReadonlyArray<readonly [family: string, readings: readonly Reading[]]>>;
  /** The alerts whose conditions are evaluated; another list replaces the one before. Default: all, with their standard thresholds. */
  readonly alerts?: () => readonly Alert[];
  readonly clock: Clock;
  /** Name of the exporter in texts. */
  readonly who: string;
  readonly words?: Words;
  /** Absent where only one instant is known. */
  readonly tracking?: Tracking | undefined;
};

/** Seconds between two diagnoses that no request asked for: no page comes within a minute. */
const BACKGROUND = 30;

/**
 * Evaluates the conditions of the alerts on the current samples, on demand and at most once a second. With `tracking` each
 * diagnosis continues the one before it.
 */
export type Doctor = {
  /** The current diagnosis. Concurrent calls, and calls soon after, share one. */
  readonly diagnosis: () => Promise<Diagnosis>;
  /** Must be called once a second by a daemon: diagnoses in the background, at the cadence of `BACKGROUND`. */
  readonly tick: () => void;
};

/** Creates a doctor, whose first diagnosis is that of the first request or tick. */
export function createDoctor(options: DoctorOptions): Doctor {
  const { snapshot, own, alerts = () => ALERTS, clock, who, words, tracking } = options;
  /** The rules of the last list of alerts. */
  let known: { readonly of: readonly Alert[]; readonly rules: Rules } | undefined;
  /** What the next diagnosis continues. */
  let track = tracking?.track;
  let nextInBackground = clock.elapsed() + BACKGROUND;
  /** Whether a diagnosis began when all nodes had been polled. */
  let settled = false;

  const diagnosis = onDemand(clock, async (): Promise<Diagnosis> => {
    nextInBackground = clock.elapsed() + BACKGROUND;
    const ours = new Map(await own?.());
    const of = alerts();
    if (known?.of !== of) known = { of, rules: rulesOf(of) };
    const { rules } = known;
    const readings = snapshot();
    const samples = samplesOf((family) => ours.get(family) ?? readings(family), clock.now());
    settled ||= tracking?.settled() === true;
    const next = diagnose(rules, samples, who, track === undefined ? undefined : { track, settled }, words);
    track &&= next.track;
    tracking?.continued?.(next);
    return next.diagnosis;
  });

  return {
    diagnosis,
    tick() {
      if (tracking === undefined) return;
      // The first polls are diagnosed as soon as they have ended.
      if (clock.elapsed() < nextInBackground && (settled || !tracking.settled())) return;
      diagnosis().catch(tracking.failed);
    },
  };
}
