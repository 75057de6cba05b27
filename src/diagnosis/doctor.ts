import type { Clock } from "../runtime/clock.ts";
import { createTimeSlices } from "../runtime/time-slices.ts";
import type { Work } from "../runtime/work.ts";
import { diagnose, SELF } from "./diagnose.ts";
import type { Diagnosis } from "./finding.ts";
import { rulesOf, type Rules } from "./rules.ts";
import { samplesOf, type Texts } from "./samples.ts";

export type Doctor = {
  /** What is wrong now, or was a moment ago: whoever looks while the work is done, or soon after, gets the same. */
  readonly look: () => Promise<Diagnosis>;
};

export type DoctorOptions = {
  /** The lines of a family, a text for each target. */
  readonly lines: (family: string) => ReadonlyArray<() => string>;
  /** Lines of the process's own metrics, by family. */
  readonly own?: () => Promise<ReadonlyArray<readonly [family: string, lines: string]>>;
  readonly clock: Clock;
  /** How the exporter calls itself in a sentence. */
  readonly who: string;
};

/** Seconds between two looks, at least; and a look takes at most this share of the time. */
const EVERY = 1;
const SHARE = 0.1;

/** Judges the conditions of the alerts on the samples at hand, when somebody asks, and not more than once a second. */
export function createDoctor({ lines, own, clock, who }: DoctorOptions): Doctor {
  const slices = createTimeSlices(clock);
  let rules: Rules | undefined;
  let last: { readonly diagnosis: Promise<Diagnosis>; until: number } | undefined;

  async function look(): Promise<Diagnosis> {
    rules ??= rulesOf();
    const ours = (await own?.()) ?? [];
    const texts: Texts = new Map([
      ...[...rules.families, SELF].map((family) => [family, lines(family)] as const),
      ...ours.map(([family, text]) => [family, [() => text]] as const),
    ]);
    return inTurns(diagnose(rules, samplesOf(texts, clock.now(), rules.recorded), who));
  }

  /** Runs the work beside everything else that the process does. */
  function inTurns<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    slices.run({
      next() {
        try {
          const step = work.next();
          if (step.done !== true) return { done: false, value: undefined };
          resolve(step.value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        return { done: true, value: undefined };
      },
    });
    return promise;
  }

  return {
    look() {
      const started = clock.elapsed();
      if (last !== undefined && started < last.until) return last.diagnosis;
      const made = { diagnosis: look(), until: Infinity };
      last = made;
      const ended = (): void => {
        made.until = started + Math.max(EVERY, (clock.elapsed() - started) / SHARE);
      };
      made.diagnosis.then(ended, ended);
      return made.diagnosis;
    },
  };
}
