import type { Diagnosis } from "../../diagnosis/finding.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import type { HttpDependencies, HttpLog } from "../dependencies.ts";
import { textReply, type Sink } from "../reply.ts";
import type { Route } from "../route.ts";

export const LISTENERS = 50;
/** Seconds between two diagnoses. */
const EVERY = 1;
/** Seconds without an event after which a comment keeps the connection alive. */
const HEARTBEAT = 15;

/** Server-sent events, one for each new diagnosis. */
export function eventsRoute({ diagnosis, log }: HttpDependencies): Route {
  const events = createEvents(diagnosis, log);
  return {
    path: "/api/v1/events",
    handle: () =>
      events.full()
        ? textReply(503, "Too many listeners, try again later.\n", { "Retry-After": "30" })
        : {
            status: 200,
            headers: { "Content-Type": "text/event-stream" },
            chunks: [],
            stream: (sink) => events.listen(sink),
          },
  };
}

/**
 * Sends an event to all listeners for each new diagnosis. Diagnoses are requested once a second while there are listeners. An
 * event contains only the counts; the problems are on the page and in the JSON.
 */
export function createEvents(
  diagnosis: () => Promise<Diagnosis>,
  log: HttpLog,
  clock: Pick<Clock, "elapsed" | "after"> = systemClock,
) {
  const sinks = new Set<Sink>();
  let cancel: (() => void) | undefined;
  let busy = false;
  let sentAt = 0;
  /** The last event, which new listeners receive. */
  let last: { readonly at: number; readonly text: string } | undefined;

  function send(text: string): void {
    sentAt = clock.elapsed();
    for (const sink of sinks) sink.write(text);
  }

  async function update(): Promise<void> {
    const { at, counts } = await diagnosis();
    if (at === last?.at) return;
    last = { at, text: `data: ${JSON.stringify({ at, ...counts })}\n\n` };
    send(last.text);
  }

  function tick(): void {
    cancel = sinks.size === 0 ? undefined : clock.after(EVERY, tick);
    if (sinks.size === 0) return;
    if (clock.elapsed() - sentAt >= HEARTBEAT) send(": still here\n\n");
    if (busy) return;
    busy = true;
    update()
      .catch((error: unknown) => log.error({ err: error }, "diagnosis failed"))
      .finally(() => (busy = false));
  }

  return {
    /** Whether the limit on listeners is reached. */
    full: () => sinks.size >= LISTENERS,
    /** Adds a listener; the returned function removes it. */
    listen(sink: Sink): () => void {
      sinks.add(sink);
      sink.write(`retry: 3000\n\n${last?.text ?? ""}`);
      if (cancel === undefined) {
        sentAt = clock.elapsed();
        tick();
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
