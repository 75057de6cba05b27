import { ApiError } from "../../api/endpoint.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log, PollEvents } from "../../runtime/events.ts";
import { pollId, type Outcome, type Poll, type Result } from "./poll.ts";
import { nextSlot } from "./schedule.ts";
import { noteOutcome, type Gate, type Target } from "./target.ts";

export type Runner = {
  /**
   * Arms a timer for every poll that is due within the next second; a poll that is still running misses its slot. For a target
   * with a gate it starts the due polls that the gate admits.
   */
  readonly tick: (targets: Iterable<Target>) => void;
  /** Makes a poll due at `at` (Unix seconds), and arms it if that is within a second. */
  readonly due: (target: Target, poll: Poll, at: number) => void;
  readonly disarm: (poll: Poll) => void;
};

/**
 * Runs polls on schedule, and never two of one question at once. `onEnd` handles the outcomes; `recovered`: a success
 * after failures; `onStart` receives the seconds by which a poll is late.
 */
export function createRunner<T extends Target>(
  clock: Clock,
  events: PollEvents,
  log: Log,
  onEnd: (target: T, poll: Poll, outcome: Outcome, recovered: boolean) => void,
  onStart: (late: number) => void = () => undefined,
): Runner {
  /** Running polls by target, removed ones included: the same question can be added again before they end. */
  const underWay = new WeakMap<Target, Set<string>>();

  function isUnderWay(target: Target, poll: Poll): boolean {
    return underWay.get(target)?.has(pollId(poll.endpoint, poll.key)) === true;
  }

  function arm(target: Target, poll: Poll): void {
    poll.cancel?.();
    poll.cancel = clock.after(poll.next - clock.now(), () => {
      poll.cancel = undefined;
      // If a removed poll with the same question is still running, its end starts this poll.
      if (target.closed || isUnderWay(target, poll)) return;
      onStart(Math.max(0, clock.now() - poll.next));
      start(target, poll);
    });
  }

  function start(target: Target, poll: Poll): void {
    // A defect that throws here must not stop the other polls.
    run(target, poll).catch((error: unknown) => {
      log.error({ ...target.named, endpoint: poll.endpoint.id, err: error }, "defect in the poller");
      events.defect("poll", poll.endpoint.id);
    });
  }

  async function run(target: Target, poll: Poll): Promise<void> {
    const [askedAt, began] = [clock.now(), clock.elapsed()];
    const id = pollId(poll.endpoint, poll.key);
    const asking = underWay.get(target) ?? new Set();
    underWay.set(target, asking.add(id));
    poll.running = true;
    poll.next = target.cadence.sent(poll, askedAt);
    const result = await ask(target, poll);
    const took = clock.elapsed() - began;
    poll.running = false;
    asking.delete(id);
    if (target.closed) return;
    events.polled(took);
    // The answer of a poll that was removed meanwhile is dropped.
    if (target.polls.get(id) === poll) conclude(target, poll, { askedAt, took, ...result });
    proceed(target, id, poll);
  }

  function conclude(target: Target, poll: Poll, outcome: Outcome): void {
    const recovered = "value" in outcome && poll.failures > 0;
    noteOutcome(target, poll, outcome, clock.now());
    if ("failure" in outcome) {
      const { reason, message: error } = outcome.failure;
      log.debug({ ...target.named, endpoint: poll.endpoint.id, key: poll.key, reason, error }, "poll failed");
    }
    // `tick` and `due` receive only targets of this type.
    onEnd(target as T, poll, outcome, recovered);
  }

  /** Starts what waited for the end of a poll. */
  function proceed(target: Target, id: string, ended: Poll): void {
    if (target.gate !== undefined) {
      send(target, target.gate);
      return;
    }
    const planned = target.polls.get(id);
    if (planned === ended && ended.again) {
      ended.again = false;
      ended.next = clock.now();
      arm(target, ended);
    } else if (planned !== undefined && planned !== ended && planned.next <= clock.now()) arm(target, planned);
  }

  async function ask(target: Target, poll: Poll): Promise<Result> {
    try {
      return { value: await target.ask(poll) };
    } catch (error) {
      if (error instanceof ApiError) return { failure: error.failure };
      const { endpoint, key } = poll;
      log.error({ ...target.named, endpoint: endpoint.id, key, err: error }, "defect in an endpoint");
      events.defect("endpoint", endpoint.id);
      return { failure: { reason: "internal", message: "internal error of the exporter; see its log" } };
    }
  }

  /** Starts the due polls that a gate admits. */
  function send(target: Target, gate: Gate): void {
    if (target.closed || !gate.resume()) return;
    const now = clock.now();
    const due = [...target.polls.values()].filter((poll) => poll.next <= now && !isUnderWay(target, poll));
    for (const poll of gate.order(due, now)) {
      // The first poll waits for its admission: cheaper ones behind it must not overtake it forever.
      if (!gate.admit(poll)) return;
      start(target, poll);
    }
  }

  function armDue(target: Target, now: number): void {
    for (const poll of target.polls.values()) {
      if (poll.next >= now + 1 || poll.cancel !== undefined) continue;
      if (!poll.running) arm(target, poll);
      else if (poll.next <= now) {
        target.missed.running++;
        poll.next = nextSlot(now, poll.every, poll.phase);
      }
    }
  }

  return {
    tick(targets) {
      const now = clock.now();
      for (const target of targets) {
        if (target.gate === undefined) armDue(target, now);
        else send(target, target.gate);
      }
    },
    due(target, poll, at) {
      if (poll.running) {
        poll.again = true;
        return;
      }
      poll.next = at;
      if (at < clock.now() + 1) arm(target, poll);
    },
    disarm(poll) {
      poll.cancel?.();
      poll.cancel = undefined;
    },
  };
}
