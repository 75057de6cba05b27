import type { Events } from "./event-stream.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** Server-sent events: one whenever there is something new to look at. Listeners beyond the bound are turned away. */
export function eventsRoute(events: Events): Route {
  return {
    path: "/api/v1/events",
    methods: ["GET"],
    handle: () =>
      events.full()
        ? textReply(503, "Too many listeners, try again later.\n", { "Retry-After": "30" })
        : { status: 200, headers: { "Content-Type": "text/event-stream" }, chunks: [], stream: events.listen },
  };
}
