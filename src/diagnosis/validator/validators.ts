import type { Clock } from "../../runtime/clock.ts";
import { onDemand } from "../on-demand.ts";
import { samplesOf, type Lines } from "../samples.ts";
import { type ValidatorView, validatorViews } from "./validator-views.ts";

/** The current views of all validators. Concurrent calls, and calls soon after, share one result. */
export type Validators = () => Promise<readonly ValidatorView[]>;

type ValidatorsOptions = {
  /** Reads what has changed. */
  readonly snapshot: () => Lines;
  readonly clock: Clock;
};

/** Views the validators in the current samples, on demand and at most once a second. */
export function createValidators({ snapshot, clock }: ValidatorsOptions): Validators {
  return onDemand(clock, () => validatorViews(samplesOf(snapshot(), clock.now())));
}
