import type { Diagnosis } from "../../diagnosis/finding.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import type { HttpLog } from "../dependencies.ts";
import type { Sink } from "../reply.ts";

export type Events = {
  /** Whether nobody more can listen. */
  readonly full: () => boolean;
  /** Adds a listener; the returned function removes it. */
  readonly listen: (sink: Sink) => () => void;
};

export const LISTENERS = 50;
/** Seconds between two looks. */
const EVERY = 1;
/** Seconds of silence after which a comment is sent, so that proxies and listeners know the connection is alive. */
const HEARTBEAT = 15;

/**
 * Tells listeners when there is something new: while somebody listens it looks once a second, and sends one event for
 * each look that is new. An event holds the counts alone; whoever wants more asks for the page or for the JSON.
 */
export function createEvents(
  look: () => Promise<Diagnosis>,
  log: HttpLog,
  clock: Pick<Clock, "elapsed" | "after"> = systemClock,
): Events {
  const sinks = new Set<Sink>();
  let cancel: (() => void) | undefined;
  let looking = false;
  let sentAt = 0;
  /** The event that everybody has, for those who come later. */
  let last: { readonly at: number; readonly text: string } | undefined;

  function send(text: string): void {
    sentAt = clock.elapsed();
    for (const sink of sinks) sink.write(text);
  }

  async function tell(): Promise<void> {
    const { at, counts } = await look();
    if (at === last?.at) return;
    last = { at, text: `data: ${JSON.stringify({ at, ...counts })}\n\n` };
    send(last.text);
  }

  function turn(): void {
    cancel = sinks.size === 0 ? undefined : clock.after(EVERY, turn);
    if (sinks.size === 0) return;
    if (clock.elapsed() - sentAt >= HEARTBEAT) send(": still here\n\n");
    if (looking) return;
    looking = true;
    tell()
      .catch((error: unknown) => log.error({ err: error }, "diagnosis failed"))
      .finally(() => (looking = false));
  }

  return {
    full: () => sinks.size >= LISTENERS,
    listen(sink) {
      sinks.add(sink);
      sink.write(`retry: 3000\n\n${last?.text ?? ""}`);
      if (cancel === undefined) {
        sentAt = clock.elapsed();
        turn();
      }
      return () => {
        sinks.delete(sink);
        if (sinks.size > 0) return;
        cancel?.();
        cancel = undefined;
      };
    },
  };
}
