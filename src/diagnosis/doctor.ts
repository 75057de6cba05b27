import type { Clock } from "../runtime/clock.ts";
import { diagnose, OWN_HEALTH } from "./diagnose.ts";
import type { Diagnosis } from "./finding.ts";
import { onDemand } from "./on-demand.ts";
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

/** Evaluates the conditions of the alerts on the current samples, on demand and at most once a second. */
export function createDoctor({ lines, own, clock, who }: DoctorOptions): Doctor {
  let rules: Rules | undefined;
  return {
    diagnosis: onDemand(clock, async () => {
      rules ??= rulesOf();
      const ours = (await own?.()) ?? [];
      const texts: Texts = new Map([
        ...[...rules.families, OWN_HEALTH].map((family) => [family, lines(family)] as const),
        ...ours.map(([family, text]) => [family, [() => text]] as const),
      ]);
      return diagnose(rules, samplesOf(texts, clock.now(), rules.recorded), who);
    }),
  };
}
