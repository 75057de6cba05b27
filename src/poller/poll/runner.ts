import { ApiError } from "../../api/endpoint.ts";
import type { Failure } from "../../api/reasons.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log, PollEvents } from "../../runtime/events.ts";
import { type PollOutcome, type Poll, type PollResult, apply, type Target } from "./poll.ts";

export type Runner = ReturnType<typeof createRunner>;

/** Runs polls on schedule, and never two of one question at once. `onEnd` takes the outcomes. */
export function createRunner<T extends Target>(
  clock: Clock,
  events: PollEvents,
  log: Log,
  onEnd: (target: T, poll: Poll, outcome: PollOutcome) => void,
) {
  /** Starts a poll at its time, unless it was removed, replaced or postponed until then. */
  function arm(target: Target, poll: Poll, at: number): void {
    clock.after(at - clock.now(), () => {
      const { wait } = poll.state;
      if (target.closed || target.polls.get(poll.id) !== poll || wait.is !== "due" || wait.at > at) return;
      // The end of a removed poll with the same question starts this one.
      if (!target.underWay.has(poll.id)) start(target, poll);
    });
  }

  function start(target: Target, poll: Poll): void {
    // A defect that throws here must not stop the other polls.
    run(target, poll).catch((error: unknown) => {
      log.error({ ...target.named, endpoint: poll.plan.endpoint.id, err: error }, "defect in the poller");
      events.defect("poll", poll.plan.endpoint.id);
    });
  }

  async function run(target: Target, poll: Poll): Promise<void> {
    const [askedAt, began] = [clock.now(), clock.elapsed()];
    target.missed.overloaded += slotsLate(poll, askedAt);
    target.underWay.add(poll.id);
    apply(poll, { is: "started" }, askedAt);
    let result: PollResult;
    try {
      result = { value: await target.ask(poll) };
    } catch (error) {
      result = { failure: failureOf(target, poll, error) };
    }
    const took = clock.elapsed() - began;
    target.underWay.delete(poll.id);
    if (target.closed) return;
    events.polled(took, poll.plan.endpoint.id);
    // The answer of a poll that was removed meanwhile is dropped. `tick` and `want` receive only targets of this type.
    if (target.polls.get(poll.id) === poll) onEnd(target as T, poll, { askedAt, took, ...result });
    if (target.gate === undefined) armDue(target, target.polls.get(poll.id), clock.now());
    else send(target, target.gate);
  }

  /** The failure of a poll. An error that no endpoint may throw is a defect, and is reported. */
  function failureOf(target: Target, { plan: { endpoint, key } }: Poll, error: unknown): Failure {
    if (error instanceof ApiError) {
      const { reason, message } = error.failure;
      log.debug({ ...target.named, endpoint: endpoint.id, key, reason, error: message }, "poll failed");
      return error.failure;
    }
    log.error({ ...target.named, endpoint: endpoint.id, key, err: error }, "defect in an endpoint");
    events.defect("endpoint", endpoint.id);
    return { reason: "internal", message: "internal error of the exporter; see its log" };
  }

  /** Starts the due polls that a gate admits. */
  function send(target: Target, gate: NonNullable<Target["gate"]>): void {
    if (target.closed) return;
    const now = clock.now();
    const due = [...target.polls.values()].filter(
      ({ id, state: { wait } }) => wait.is === "due" && wait.at <= now && !target.underWay.has(id),
    );
    for (const poll of gate(due, now)) start(target, poll);
  }

  function armDue(target: Target, poll: Poll | undefined, now: number): void {
    if (poll?.state.wait.is === "due" && poll.state.wait.at < now + 1) arm(target, poll, poll.state.wait.at);
  }

  return {
    /** Starts a poll at its time if that is within the next second; others wait for the tick. */
    arm: (target: Target, poll: Poll) => armDue(target, poll, clock.now()),
    /** Starts every poll that is due within the next second, at its time. Of a target with a gate, those that the gate admits. */
    tick(targets: Iterable<Target>): void {
      const now = clock.now();
      for (const target of targets) {
        if (target.gate !== undefined) send(target, target.gate);
        else for (const poll of target.polls.values()) armDue(target, poll, now);
      }
    },
    /**
     * Has a poll sent at `at` (Unix seconds), or as soon as the running one has ended.
     * @param limited once an interval at most: for what a node can cause as often as it likes
     */
    want(target: Target, poll: Poll, at: number, limited = false): void {
      apply(poll, { is: "wanted", at, limited }, clock.now());
      armDue(target, poll, clock.now());
    },
  };
}

/** Slots that the scheduler skipped because it came to this poll too late. */
function slotsLate({ plan, state: { wait } }: Poll, now: number): number {
  return wait.is === "due" ? Math.max(0, Math.floor((now - wait.at) / plan.every)) : 0;
}
