import type { Clock } from "../runtime/clock.ts";
import { createTimeSlices } from "../runtime/time-slices.ts";
import type { Work } from "../runtime/work.ts";
import { diagnose, OWN_HEALTH } from "./diagnose.ts";
import type { Diagnosis } from "./finding.ts";
import { rulesOf, type Rules } from "./rules.ts";
import { samplesOf, type Texts } from "./samples.ts";

export type Doctor = {
  /** The current diagnosis. Concurrent calls, and calls soon after, share one. */
  readonly diagnosis: () => Promise<Diagnosis>;
};

type DoctorOptions = {
  /** The lines of a family, one text for each target. */
  readonly lines: (family: string) => ReadonlyArray<() => string>;
  /** Lines of the process's own metrics, by family. */
  readonly own?: () => Promise<ReadonlyArray<readonly [family: string, lines: string]>>;
  readonly clock: Clock;
  /** Name of the exporter in texts. */
  readonly who: string;
};

/** Minimum seconds between two diagnoses, and the maximum share of time that they take. */
const EVERY = 1;
const SHARE = 0.1;

/** Evaluates the conditions of the alerts on the current samples, on demand and at most once a second. */
export function createDoctor({ lines, own, clock, who }: DoctorOptions): Doctor {
  const slices = createTimeSlices(clock);
  let rules: Rules | undefined;
  let last: { readonly diagnosis: Promise<Diagnosis>; until: number } | undefined;

  async function compute(): Promise<Diagnosis> {
    rules ??= rulesOf();
    const ours = (await own?.()) ?? [];
    const texts: Texts = new Map([
      ...[...rules.families, OWN_HEALTH].map((family) => [family, lines(family)] as const),
      ...ours.map(([family, text]) => [family, [() => text]] as const),
    ]);
    return inSlices(diagnose(rules, samplesOf(texts, clock.now(), rules.recorded), who));
  }

  /** Runs the work in time slices. */
  function inSlices<T>(work: Work<T>): Promise<T> {
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
    diagnosis() {
      const started = clock.elapsed();
      if (last !== undefined && started < last.until) return last.diagnosis;
      const current = { diagnosis: compute(), until: Infinity };
      last = current;
      const ended = (): void => {
        current.until = started + Math.max(EVERY, (clock.elapsed() - started) / SHARE);
      };
      current.diagnosis.then(ended, ended);
      return current.diagnosis;
    },
  };
}
