import type { Alert } from "../topics/define/alert.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Work } from "../runtime/work.ts";
import { diagnose, diagnoseNext, OWN_HEALTH, type Continued, type True } from "./diagnose.ts";
import { ALERTS } from "../topics/all/alerts.ts";
import type { Diagnosis } from "./finding.ts";
import { FACTS } from "./node-facts.ts";
import { OVERVIEW_FAMILIES } from "./node-overview.ts";
import { createSlicer } from "./on-demand.ts";
import { rulesOf, type Rules } from "./rules.ts";
import { samplesOf, type Texts } from "./samples.ts";
import type { Track } from "./tracker.ts";

export type Doctor = {
  /** The current diagnosis. Concurrent calls, and calls soon after, share one. */
  readonly diagnosis: () => Promise<Diagnosis>;
  /** Must be called once a second by a daemon: diagnoses in the background, at the cadence of `BACKGROUND`. */
  readonly tick: () => void;
};

/** What makes the diagnoses of a daemon continue each other. */
export type Tracking = {
  /** Whether all nodes have been polled. */
  readonly settled: () => boolean;
  /** What was known before the first diagnosis. */
  readonly track: Track<True>;
  /** Called after each diagnosis. */
  readonly continued?: (next: Continued) => void;
  /** Called when a diagnosis in the background fails. */
  readonly failed: (error: unknown) => void;
};

type DoctorOptions = {
  /** The lines of a family, one text for each target. */
  readonly lines: (family: string) => ReadonlyArray<() => string>;
  /** Lines of the process's own metrics, by family. */
  readonly own?: () => Promise<ReadonlyArray<readonly [family: string, lines: string]>>;
  /** The alerts whose conditions are evaluated; another list replaces the one before. Default: all, with their standard thresholds. */
  readonly alerts?: () => readonly Alert[];
  readonly clock: Clock;
  /** Name of the exporter in texts. */
  readonly who: string;
  /** Absent where only one instant is known. */
  readonly tracking?: Tracking | undefined;
};

/** Minimum seconds between two diagnoses, and the maximum share of time that they take. */
const EVERY = 1;
const SHARE = 0.1;
/** The same limits for diagnoses in the background, which no request asked for. */
const BACKGROUND = { every: 15, share: 0.03 };

/**
 * Evaluates the conditions of the alerts on the current samples, on demand and at most once a second. With `tracking` each
 * diagnosis continues the one before it.
 */
export function createDoctor({ lines, own, alerts = () => ALERTS, clock, who, tracking }: DoctorOptions): Doctor {
  const slicer = createSlicer(clock);
  let known: { readonly of: readonly Alert[]; readonly rules: Rules } | undefined;
  let last: { readonly diagnosis: Promise<Diagnosis>; until: number } | undefined;
  let track = tracking?.track;
  /** Seconds of processor time that the current or last diagnosis took. */
  let worked = 0;
  let nextInBackground = clock.elapsed() + BACKGROUND.every;
  /** Whether a diagnosis began when all nodes had been polled. */
  let settled = false;

  async function compute(): Promise<Diagnosis> {
    worked = 0;
    const ours = (await own?.()) ?? [];
    const started = clock.elapsed();
    const rules = rulesNow();
    const texts: Texts = new Map([
      ...[...new Set([...rules.families, OWN_HEALTH, ...FACTS, ...OVERVIEW_FAMILIES])].map(
        (family) => [family, lines(family)] as const,
      ),
      ...ours.map(([family, text]) => [family, [() => text]] as const),
    ]);
    const samples = samplesOf(texts, clock.now(), rules.recorded);
    worked += clock.elapsed() - started;
    if (tracking === undefined || track === undefined) return inSlices(diagnose(rules, samples, who));
    settled ||= tracking.settled();
    const next = await inSlices(diagnoseNext(rules, samples, who, { track, settled }));
    track = next.track;
    tracking.continued?.(next);
    return next.diagnosis;
  }

  function rulesNow(): Rules {
    const of = alerts();
    if (known?.of !== of) known = { of, rules: rulesOf(of) };
    return known.rules;
  }

  const inSlices = <T>(work: Work<T>): Promise<T> => slicer(work, (seconds) => (worked += seconds));

  function diagnosis(): Promise<Diagnosis> {
    const started = clock.elapsed();
    if (last !== undefined && started < last.until) return last.diagnosis;
    const current = { diagnosis: compute(), until: Infinity };
    last = current;
    nextInBackground = Infinity;
    const ended = (): void => {
      current.until = started + Math.max(EVERY, (clock.elapsed() - started) / SHARE);
      nextInBackground = started + Math.max(BACKGROUND.every, worked / BACKGROUND.share);
    };
    current.diagnosis.then(ended, ended);
    return current.diagnosis;
  }

  return {
    diagnosis,
    tick() {
      if (tracking === undefined || nextInBackground === Infinity) return;
      // The first polls are diagnosed as soon as they have ended.
      if (clock.elapsed() >= nextInBackground || (!settled && tracking.settled())) diagnosis().catch(tracking.failed);
    },
  };
}
