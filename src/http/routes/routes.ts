import type { HttpDependencies } from "../dependencies.ts";
import { jsonReply, pageReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { calendarRoutes } from "./calendar.ts";
import { debugRoutes } from "./debug.ts";
import { createEvents, type Events } from "./event-stream.ts";
import { historyRoute } from "./history.ts";
import { diagnosisOrNone } from "./diagnosis-or-none.ts";
import { DAY, dayOf } from "../../diagnosis/history/day.ts";
import { readFilter } from "../status-page/status-filter.ts";
import { renderStatusPage } from "../status-page/status-page.ts";
import { STATUS_PAGE } from "../pages/page-files.ts";
import { metricsRoute } from "./metrics.ts";
import { probeRoute } from "./probe.ts";
import { restartRoutes } from "./restart.ts";
import { runbookRoutes } from "./runbooks.ts";
import { sdRoute } from "./sd.ts";
import { validatorRoutes } from "./validator.ts";

/** Every route by its path. The metrics come last: a telemetry path of `/` replaces the status page. */
export function createRoutes(dependencies: HttpDependencies, maxRequests: number): ReadonlyMap<string, Route> {
  const { status, diagnosis, maskedConfig, ready, log } = dependencies;
  const routes = [
    landingRoute(dependencies),
    get("/api/v1/status", () => jsonReply(status())),
    get("/api/v1/findings", async () => jsonReply(await diagnosis())),
    historyRoute(dependencies),
    ...validatorRoutes(dependencies),
    ...calendarRoutes(dependencies),
    ...restartRoutes(dependencies),
    eventsRoute(createEvents(diagnosis, log)),
    // Plain text, so that a browser displays it.
    get("/config", () => textReply(200, maskedConfig())),
    ...runbookRoutes(dependencies),
    sdRoute(dependencies),
    probeRoute(dependencies),
    // Liveness does not depend on nodes, because an outage of a node must not restart the exporter.
    supervision("/-/healthy", () => textReply(200, "OK\n")),
    supervision("/-/ready", () => {
      const verdict = ready();
      return textReply(verdict.ready ? 200 : 503, `${verdict.why}\n`);
    }),
    reloadRoute(dependencies),
    ...debugRoutes(dependencies),
    metricsRoute(dependencies, maxRequests),
  ];
  return new Map(routes.map((route) => [route.path, route]));
}

function get(path: string, handle: Route["handle"]): Route {
  return { path, methods: ["GET"], handle };
}

function supervision(path: string, handle: Route["handle"]): Route {
  return { ...get(path, handle), showsNothing: true };
}

/** The status page. When the diagnosis fails, the page still shows the polls. */
function landingRoute({ status, diagnosis, history, about, log }: HttpDependencies): Route {
  return {
    path: "/",
    methods: ["GET"],
    async handle({ query }) {
      const found = await diagnosisOrNone({ diagnosis, log });
      const { history: recorded, now } = history();
      const day = recorded.running ? dayOf(recorded, { now, since: now - DAY, strips: "touched" }) : undefined;
      const page = renderStatusPage({ status: status(), diagnosis: found, day, about, filter: readFilter(query) });
      return pageReply(200, page, STATUS_PAGE.policy);
    },
  };
}

/** Server-sent events, one for each new diagnosis. */
function eventsRoute(events: Events): Route {
  return get("/api/v1/events", () =>
    events.full()
      ? textReply(503, "Too many listeners, try again later.\n", { "Retry-After": "30" })
      : { status: 200, headers: { "Content-Type": "text/event-stream" }, chunks: [], stream: events.listen },
  );
}

/** Reloads the configuration. An invalid one is answered with 500 and every problem; the old one stays in use. */
function reloadRoute({ reload, log }: HttpDependencies): Route {
  return {
    path: "/-/reload",
    methods: ["POST", "PUT"],
    acts: true,
    async handle() {
      const outcome = await reload();
      if (outcome.ok) return textReply(200, "Configuration reloaded.\n");
      log.warn({ problem: outcome.message }, "reload over HTTP failed, the old configuration stays");
      return textReply(500, `Reload failed, the old configuration stays in use: ${outcome.message}\n`);
    },
  };
}
