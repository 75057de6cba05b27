import type { Alert } from "../topics/define/alert.ts";
import type { Clock } from "../runtime/clock.ts";
import { diagnose, diagnoseNext, OWN_HEALTH, type Continued, type True } from "./diagnose.ts";
import { ALERTS } from "../topics/all/alerts.ts";
import type { Diagnosis } from "./finding.ts";
import { FACTS } from "./node-facts.ts";
import { OVERVIEW_FAMILIES } from "./node-overview.ts";
import { onDemand } from "./on-demand.ts";
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
  /** Reads what has changed; then the lines of a family, one text for each target. */
  readonly snapshot: () => (family: string) => readonly string[];
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

/** Seconds between two diagnoses that no request asked for. */
const BACKGROUND = 15;

/**
 * Evaluates the conditions of the alerts on the current samples, on demand and at most once a second. With `tracking` each
 * diagnosis continues the one before it.
 */
export function createDoctor({ snapshot, own, alerts = () => ALERTS, clock, who, tracking }: DoctorOptions): Doctor {
  let known: { readonly of: readonly Alert[]; readonly rules: Rules } | undefined;
  let track = tracking?.track;
  let nextInBackground = clock.elapsed() + BACKGROUND;
  /** Whether a diagnosis began when all nodes had been polled. */
  let settled = false;

  const diagnosis = onDemand(clock, async () => {
    nextInBackground = clock.elapsed() + BACKGROUND;
    const ours = (await own?.()) ?? [];
    const rules = rulesNow();
    const lines = snapshot();
    const texts: Texts = new Map([
      ...[...new Set([...rules.families, OWN_HEALTH, ...FACTS, ...OVERVIEW_FAMILIES])].map(
        (family) => [family, lines(family)] as const,
      ),
      ...ours.map(([family, text]) => [family, [text]] as const),
    ]);
    const samples = samplesOf(texts, clock.now(), rules.recorded);
    if (tracking === undefined || track === undefined) return diagnose(rules, samples, who);
    settled ||= tracking.settled();
    const next = diagnoseNext(rules, samples, who, { track, settled });
    track = next.track;
    tracking.continued?.(next);
    return next.diagnosis;
  });

  function rulesNow(): Rules {
    const of = alerts();
    if (known?.of !== of) known = { of, rules: rulesOf(of) };
    return known.rules;
  }

  return {
    diagnosis,
    tick() {
      if (tracking === undefined) return;
      // The first polls are diagnosed as soon as they have ended.
      if (clock.elapsed() >= nextInBackground || (!settled && tracking.settled())) diagnosis().catch(tracking.failed);
    },
  };
}
