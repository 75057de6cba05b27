import { ApiError } from "../api/endpoint.ts";
import type { Failure } from "../api/reasons.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/events.ts";
import { backOff, nextOnGrid } from "./grid.ts";
import { idOf, nodeKey } from "./planning.ts";
import type { Poll, Target } from "./target.ts";

/** How a poll ended. `askedAt` is Unix seconds. */
export type Outcome = { readonly askedAt: number } & ({ readonly value: unknown } | { readonly failure: Failure });

export type Runner = {
  /** Arms a timer for every poll that is due within the next second; polls that are still running miss their slot. */
  readonly tick: (targets: Iterable<Target>) => void;
  /** Makes a poll due at `at` (Unix seconds), and arms it when that is soon. */
  readonly due: (target: Target, poll: Poll, at: number) => void;
  readonly disarm: (poll: Poll) => void;
};

/** An endpoint that a server need not have is asked again this seldom once it said so. Seconds. */
const UNSUPPORTED_RETRY = 600;
/** However long a server asks us to wait. Seconds. */
const LONGEST_RETRY = 3600;

/** Runs polls: when, never twice at once, with their deadline; what the answers mean is the caller's business. */
export function createRunner(
  clock: Clock,
  events: PollEvents,
  log: Log,
  onEnd: (target: Target, poll: Poll, outcome: Outcome) => void,
): Runner {
  /** What is being asked of each node: also what was planned away meanwhile, and may be planned again before it has ended. */
  const underWay = new WeakMap<Target, Set<string>>();

  function arm(target: Target, poll: Poll): void {
    poll.cancel?.();
    poll.cancel = clock.after(poll.next - clock.now(), () => {
      poll.cancel = undefined;
      // Where the same question of an earlier plan is under way, its end starts this poll.
      if (target.closed || underWay.get(target)?.has(idOf(poll.endpoint, poll.key)) === true) return;
      // Whatever a defect throws here, the other polls go on.
      run(target, poll).catch((error: unknown) =>
        log.error({ node: target.config.name, endpoint: poll.endpoint.id, err: error }, "poller is defective"),
      );
    });
  }

  async function run(target: Target, poll: Poll): Promise<void> {
    const [askedAt, began] = [clock.now(), clock.elapsed()];
    const id = idOf(poll.endpoint, poll.key);
    const asking = underWay.get(target) ?? new Set();
    underWay.set(target, asking.add(id));
    poll.running = true;
    // Timers may fire a millisecond early: the slot that this poll serves must not come again. A first poll lies off the
    // grid: a slot that follows it closely is served too, or it would be missed while the answer is on its way.
    poll.next = nextOnGrid(Math.max(askedAt, poll.next) + poll.every / 4, poll.every, poll.phase);
    const outcome = await ask(target, poll, askedAt);
    poll.running = false;
    asking.delete(id);
    if (target.closed) return;
    const ended = clock.now();
    poll.lastAttempt = ended;
    note(target, poll, outcome, ended);
    const failure = "failure" in outcome ? outcome.failure : undefined;
    events.polled(poll.endpoint.id, clock.elapsed() - began, failure);
    if (failure !== undefined) {
      log.debug(
        {
          node: target.config.name,
          endpoint: poll.endpoint.id,
          key: poll.key,
          reason: failure.reason,
          error: failure.message,
        },
        "poll failed",
      );
    }
    onEnd(target, poll, outcome);
    const planned = target.polls.get(id);
    if (planned === poll && poll.again) {
      poll.again = false;
      poll.next = clock.now();
      arm(target, poll);
    } else if (planned !== undefined && planned !== poll && planned.next <= clock.now()) arm(target, planned);
  }

  async function ask(target: Target, poll: Poll, askedAt: number): Promise<Outcome> {
    const { endpoint, key } = poll;
    try {
      const subject = poll.owner === nodeKey(target.config.name) ? target.subject : target.speaksFor;
      const value = await target.client.within(poll.timeout, (api) =>
        endpoint.ask(api, key, subject ?? target.subject, poll.previous),
      );
      return { askedAt, value };
    } catch (error) {
      if (error instanceof ApiError) return { askedAt, failure: error.failure };
      log.error({ node: target.config.name, endpoint: endpoint.id, key, err: error }, "endpoint is defective");
      return { askedAt, failure: { reason: "internal", message: "a defect of the exporter; its log has the details" } };
    }
  }

  return {
    tick(targets) {
      const now = clock.now();
      for (const target of targets) {
        for (const poll of target.polls.values()) {
          if (poll.next >= now + 1 || poll.cancel !== undefined) continue;
          if (!poll.running) arm(target, poll);
          else if (poll.next <= now) {
            events.missed(poll.endpoint.id);
            poll.next = nextOnGrid(now, poll.every, poll.phase);
          }
        }
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

/** What a poll remembers of its end, and when it is due again. */
function note(target: Target, poll: Poll, outcome: Outcome, ended: number): void {
  if ("value" in outcome) {
    Object.assign(poll, {
      lastSuccess: ended,
      previous: outcome.value,
      failures: 0,
      unsupported: false,
      error: undefined,
    });
    return;
  }
  const { failure } = outcome;
  if (poll.endpoint.optional === true && isMissing(failure, target)) {
    Object.assign(poll, {
      failures: 0,
      unsupported: true,
      error: undefined,
      next: ended + Math.max(poll.every, UNSUPPORTED_RETRY),
    });
    return;
  }
  const failures = poll.failures + 1;
  Object.assign(poll, { failures, unsupported: false, error: failure });
  const wait = backOff(poll.every, poll.endpoint.probe === true ? 0 : failures);
  // The grid may shorten our own wait by less than an interval, but never the server's.
  const earliest = Math.max(ended + wait - poll.every, ended + Math.min(failure.retryAfter ?? 0, LONGEST_RETRY));
  if (earliest > ended) poll.next = nextOnGrid(earliest, poll.every, poll.phase);
}

/**
 * The server says that it does not have this: by name, or with a path that leads nowhere. A 404 says so only where a node is
 * known to answer; from anything else it says that no node is there.
 */
function isMissing({ reason, status }: Failure, { lastAnswer }: Target): boolean {
  return reason === "unsupported" || (reason === "http_status" && status === 404 && lastAnswer !== undefined);
}
