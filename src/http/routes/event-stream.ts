import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { HttpDependencies, HttpLog } from "../dependencies.ts";
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

/**
 * Sends an event to all listeners for each new diagnosis. Diagnoses are requested once a second while there are listeners. An
 * event contains only the counts; the problems are on the page and in the JSON.
 */
export function createEvents(diagnosis: () => Promise<Diagnosis>, log: HttpLog) {
  const sinks = new Set<Sink>();
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
    /** Whether the limit on listeners is reached. */
    full: () => sinks.size >= LISTENERS,
    /** Adds a listener; the returned function removes it. */
    listen(sink: Sink): () => void {
      sinks.add(sink);
      if (last !== undefined) sink.write(last.text);
      if (!running) void run();
      return () => void sinks.delete(sink);
    },
  };
}
