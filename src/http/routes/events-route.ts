import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { HttpDependencies, HttpLog } from "../http-dependencies.ts";
import { laterReply, type Sink } from "../reply.ts";
import type { Route } from "../route.ts";

export const LISTENERS = 50;
/** Between two diagnoses. */
const EVERY_MS = 1_000;

/** Server-sent events, one for each new diagnosis. */
export function eventsRoute({ diagnosis, log }: HttpDependencies): Route {
  const events = createEvents(diagnosis, log);
  return {
    path: "/api/v1/events",
    handle: () =>
      events.full()
        ? laterReply("Too many listeners", 30)
        : {
            status: 200,
            headers: { "Content-Type": "text/event-stream" },
            chunks: [],
            stream: (sink) => events.listen(sink),
          },
  };
}

type Events = {
  /** Whether the limit on listeners is reached. */
  readonly full: () => boolean;
  /** Adds a listener; the returned function removes it. */
  readonly listen: (sink: Sink) => () => void;
};

/**
 * Sends an event to all listeners for each new diagnosis. Diagnoses are requested once a second while there are listeners. An
 * event contains only the counts; the problems are on the page and in the JSON.
 */
export function createEvents(diagnosis: () => Promise<Diagnosis>, log: HttpLog): Events {
  const sinks = new Set<Sink>();
  /** Whether diagnoses are being requested. */
  let running = false;
  /** The last event, which new listeners receive. */
  let last: { readonly at: number; readonly text: string } | undefined;

  async function update(): Promise<void> {
    const { at, counts } = await diagnosis();
    if (at === last?.at) return;
    last = { at, text: `data: ${JSON.stringify({ at, ...counts })}\n\n` };
    for (const sink of sinks) sink.write(last.text);
  }

  async function run(): Promise<void> {
    running = sinks.size > 0;
    if (!running) return;
    await update().catch((error: unknown) => log.error({ err: error }, "diagnosis failed"));
    setTimeout(() => void run(), EVERY_MS);
  }

  return {
    full: () => sinks.size >= LISTENERS,
    listen(sink) {
      sinks.add(sink);
      if (last !== undefined) sink.write(last.text);
      if (!running) void run();
      return () => void sinks.delete(sink);
    },
  };
}
