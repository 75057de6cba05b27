import type { Failure } from "../../api/reasons.ts";
import { newBudget, refilled, take, type Budget } from "./budget.ts";

/** Seconds to pause after a 429 without Retry-After, or after `PATIENCE` failures of the service; doubled each time. */
const FIRST_PAUSE = 60;
const LONGEST_PAUSE = 900;
/** Failures of the service in a row after which polls pause. */
const PATIENCE = 5;

/** What a hosted service can be sent: a budget limits it, and pauses after the service refused or failed. Times are Unix seconds. */
export class Allowance {
  /** End of the last pause; 0 without one. Unix seconds. */
  pausedUntil = 0;
  /** Pages of running polls that wait for the budget; they go before any new poll. */
  readonly #waiting: Array<{ readonly units: number; readonly go: () => void }> = [];
  /** `undefined` until the service is configured. */
  #budget: Budget | undefined;
  /** Pauses in a row. */
  #pauses = 0;
  /** Failures of the service in a row. */
  #troubles = 0;
  readonly #isAttended: boolean;

  constructor(isAttended: boolean) {
    this.#isAttended = isAttended;
  }

  /** Units spent since the start. */
  get spent(): number {
    return this.#budget?.spent ?? 0;
  }

  /** Applies the limits of the configuration; saved units stay as far as these allow. */
  limit(limits: Budget["limits"], now: number): void {
    this.#budget = refilled(this.#budget ?? newBudget(limits, now, this.#isAttended), now, limits);
  }

  /** Takes units; false when the budget or a pause does not allow it. */
  pay(units: number, now: number): boolean {
    if (this.#budget === undefined || now < this.pausedUntil) return false;
    this.#budget = refilled(this.#budget, now);
    const left = take(this.#budget, units);
    this.#budget = left ?? this.#budget;
    return left !== undefined;
  }

  /** Takes the units of a page, which waits until they are there. */
  paid(units: number, now: number): Promise<void> {
    if (this.#waiting.length === 0 && this.pay(units, now)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#waiting.push({ units, go: () => resolve(undefined) });
    return promise;
  }

  /** Continues pages that wait; true when none of them still does. */
  resume(now: number): boolean {
    for (let page = this.#waiting[0]; page !== undefined && this.pay(page.units, now); page = this.#waiting[0]) {
      this.#waiting.shift();
      page.go();
    }
    return this.#waiting.length === 0;
  }

  /** Notes a success, or a failure; one that concerns the whole service begins a pause. */
  note(failure: Failure | undefined, now: number): void {
    if (failure === undefined) this.#pauses = 0;
    // One HTTP 401 is of an endpoint that needs a key; only where nothing else answers, the service refuses the key itself.
    if (failure === undefined || (isAnswer(failure) && failure.status !== 401)) this.#troubles = 0;
    else if (failure.reason === "rate_limited" || ++this.#troubles >= PATIENCE) this.#pause(failure.retryAfter, now);
  }

  /** Ends the pause, and the wait of pages: another server is not the one that refused. */
  reset(): void {
    for (const { go } of this.#waiting.splice(0)) go();
    [this.pausedUntil, this.#pauses, this.#troubles] = [0, 0, 0];
  }

  #pause(retryAfter: number | undefined, now: number): void {
    // Concurrent polls fail alike: one pause for all of them.
    if (retryAfter === undefined && now < this.pausedUntil) return;
    const wait = Math.min(FIRST_PAUSE * 2 ** Math.min(this.#pauses++, 10), LONGEST_PAUSE);
    this.pausedUntil = Math.max(this.pausedUntil, now + Math.max(retryAfter ?? wait, 1));
  }
}

/** Whether only the question failed: the service answered with an error about it, or with an answer that cannot be read. */
export function isAnswer({ reason, status }: Failure): boolean {
  return reason === "schema" || reason === "internal" || (status !== undefined && status < 500 && status !== 429);
}
