import { ApiError } from "../../api/endpoint.ts";
import { startsOver } from "../../api/position.ts";
import type { Failure } from "../../api/reasons.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log, PollEvents } from "../../runtime/log.ts";
import { apply, type Poll, type PollResult } from "./poll.ts";
import type { Target } from "./target.ts";

/** Runs polls on schedule, and never two of one question at once. Their targets take the outcomes. */
export class Runner {
  readonly #clock: Clock;
  readonly #events: PollEvents;
  readonly #log: Log;
  /** Who waits for a round of polls. */
  readonly #waiting = new Set<{ readonly isOver: () => boolean; readonly resolve: () => void }>();

  constructor(clock: Clock, events: PollEvents, log: Log) {
    this.#clock = clock;
    this.#events = events;
    this.#log = log;
  }

  /** Starts every poll that is due within the next second, at its time. Of a target with a gate, those that the gate admits. */
  tick(targets: Iterable<Target>): void {
    const now = this.#clock.now();
    for (const target of targets) {
      if (target.gate !== undefined) this.#send(target);
      else for (const poll of target.polls.values()) this.arm(target, poll, now);
    }
  }

  /** Starts a poll at its time if that is within the next second; others wait for the tick. */
  arm(target: Target, poll: Poll, now = this.#clock.now()): void {
    const { wait } = poll.state;
    if (wait.is === "due" && wait.at < now + 1) this.#startAt(target, poll, wait.at);
  }

  /**
   * Has a poll sent at `at` (Unix seconds), or as soon as the running one has ended.
   * @param limited once an interval at most: for what a node can cause as often as it likes
   */
  want(target: Target, poll: Poll, at: number, limited = false): void {
    apply(poll, { is: "wanted", at, limited }, this.#clock.now());
    this.arm(target, poll);
  }

  /** Resolves once a round is over. `isOver` is asked now, after each poll and by `announce`. */
  round(isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#waiting.add({ isOver, resolve: () => resolve(undefined) });
    this.announce();
    return promise;
  }

  /** Looks whether rounds are over, after something else than the end of a poll. */
  announce(): void {
    for (const each of this.#waiting) if (each.isOver() && this.#waiting.delete(each)) each.resolve();
  }

  /** Starts a poll at its time, unless it was removed, replaced or postponed until then. */
  #startAt(target: Target, poll: Poll, at: number): void {
    this.#clock.after(at - this.#clock.now(), () => {
      const { wait } = poll.state;
      if (target.closed || target.polls.get(poll.id) !== poll || wait.is !== "due" || wait.at > at) return;
      // The end of a removed poll with the same question starts this one.
      if (!target.underWay.has(poll.id)) this.#start(target, poll);
    });
  }

  #start(target: Target, poll: Poll): void {
    // A defect that throws here must not stop the other polls.
    this.#run(target, poll).catch((error: unknown) => {
      this.#log.error({ ...target.named, endpoint: poll.plan.endpoint.id, err: error }, "defect in the poller");
      this.#events.defect("poll", poll.plan.endpoint.id);
    });
  }

  async #run(target: Target, poll: Poll): Promise<void> {
    const [askedAt, began] = [this.#clock.now(), this.#clock.elapsed()];
    target.missed.overloaded += slotsLate(poll, askedAt);
    target.underWay.add(poll.id);
    apply(poll, { is: "started" }, askedAt);
    let result: PollResult;
    try {
      result = { value: await target.ask(poll) };
    } catch (error) {
      result = { failure: this.#failureOf(target, poll, error) };
    }
    const took = this.#clock.elapsed() - began;
    target.underWay.delete(poll.id);
    if (target.closed) return;
    this.#events.polled(took, poll.plan.endpoint.id);
    // The answer of a poll that was removed meanwhile is dropped.
    if (target.polls.get(poll.id) === poll) {
      const about = { ...target.named, endpoint: poll.plan.endpoint.id, key: poll.plan.key };
      if ("value" in result && startsOver(result.value))
        this.#log.warn(about, "a followed position was wrong: a new count starts");
      target.end(poll, { askedAt, took, ...result });
      this.announce();
    }
    const next = target.polls.get(poll.id);
    if (target.gate !== undefined) this.#send(target);
    else if (next !== undefined) this.arm(target, next);
  }

  /** The failure of a poll. An error that no endpoint may throw is a defect, and is reported. */
  #failureOf(target: Target, { plan: { endpoint, key } }: Poll, error: unknown): Failure {
    if (error instanceof ApiError) {
      const { reason, message } = error.failure;
      this.#log.debug({ ...target.named, endpoint: endpoint.id, key, reason, error: message }, "poll failed");
      return error.failure;
    }
    this.#log.error({ ...target.named, endpoint: endpoint.id, key, err: error }, "defect in an endpoint");
    this.#events.defect("endpoint", endpoint.id);
    return { reason: "internal", message: "internal error of the exporter; see its log" };
  }

  /** Starts the due polls that a gate admits. */
  #send(target: Target): void {
    if (target.closed) return;
    const now = this.#clock.now();
    const due = [...target.polls.values()].filter(
      ({ id, state: { wait } }) => wait.is === "due" && wait.at <= now && !target.underWay.has(id),
    );
    for (const poll of target.gate?.(due, now) ?? []) this.#start(target, poll);
  }
}

/** Slots that the scheduler skipped because it came to this poll too late. */
function slotsLate({ plan, state: { wait } }: Poll, now: number): number {
  return wait.is === "due" ? Math.max(0, Math.floor((now - wait.at) / plan.every)) : 0;
}
