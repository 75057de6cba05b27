import type { Clock } from "../../runtime/clock.ts";
import { onDemand } from "../on-demand.ts";
import { samplesOf, type Texts } from "../samples.ts";
import { factRules, type FactRules } from "./facts.ts";
import type { ValidatorView } from "./validator-view.ts";
import { validatorViews } from "./validator-views.ts";

/** The current views of all validators. Concurrent calls, and calls soon after, share one result. */
export type Validators = () => Promise<readonly ValidatorView[]>;

type ValidatorsOptions = {
  /** Reads what has changed; then the lines of a family, one text for each target. */
  readonly snapshot: () => (family: string) => readonly string[];
  readonly clock: Clock;
};

/** Views the validators in the current samples, on demand and at most once a second. */
export function createValidators({ snapshot, clock }: ValidatorsOptions): Validators {
  let rules: FactRules | undefined;
  return onDemand(clock, () => {
    rules ??= factRules();
    const lines = snapshot();
    const texts: Texts = new Map([...rules.families].map((family) => [family, lines(family)]));
    return validatorViews(rules, samplesOf(texts, clock.now()));
  });
}
