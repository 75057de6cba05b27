import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { jsonReply, pageReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { calendarRoutes } from "./calendar-routes.ts";
import { debugRoutes } from "./debug-routes.ts";
import { eventsRoute } from "./events-route.ts";
import { historyRoute } from "./history-route.ts";
import { diagnosisOrNone } from "./diagnosis-or-none.ts";
import { DAY, dayOf } from "../../diagnosis/history/day.ts";
import { isEmpty, readFilter } from "../status-page/status-filter.ts";
import { renderStatusPage } from "../status-page/render-status-page.ts";
import { STATUS_PAGE } from "../pages/page-files.ts";
import { metricsRoute } from "./metrics-route.ts";
import { probeRoute } from "./probe-route.ts";
import { restartRoutes } from "./restart-routes.ts";
import { runbookRoutes } from "./runbook-routes.ts";
import { sdRoute } from "./sd-route.ts";
import { statusRoute } from "./status-route.ts";
import { validatorRoutes } from "./validator-routes.ts";

/** Every route by its path. The metrics come last: a telemetry path of `/` replaces the status page. */
export function createRoutes(dependencies: HttpDependencies, maxRequests: number): ReadonlyMap<string, Route> {
  const { unknown, diagnosis, maskedConfig, ready, about } = dependencies;
  const routes: readonly Route[] = [
    landingRoute(dependencies),
    statusRoute(dependencies),
    { path: "/api/v1/unknown", handle: () => jsonReply({ exporter: about.version, names: unknown() }) },
    { path: "/api/v1/findings", handle: async () => jsonReply(await diagnosis()) },
    historyRoute(dependencies),
    ...validatorRoutes(dependencies),
    ...calendarRoutes(dependencies),
    ...restartRoutes(dependencies),
    eventsRoute(dependencies),
    // Plain text, so that a browser displays it.
    { path: "/config", handle: () => textReply(200, maskedConfig()) },
    ...runbookRoutes(dependencies),
    sdRoute(dependencies),
    probeRoute(dependencies),
    // Liveness does not depend on nodes, because an outage of a node must not restart the exporter.
    { path: "/-/healthy", showsNothing: true, handle: () => textReply(200, "OK\n") },
    {
      path: "/-/ready",
      showsNothing: true,
      handle() {
        const verdict = ready();
        return textReply(verdict.ready ? 200 : 503, `${verdict.why}\n`);
      },
    },
    reloadRoute(dependencies),
    ...debugRoutes(dependencies),
    metricsRoute(dependencies, maxRequests),
  ];
  return new Map(routes.map((route) => [route.path, route]));
}

/** Seconds for which the page without a filter is shared: those who have it open request it together, at each new diagnosis. */
const SHARED = 1;

/** The status page. When the diagnosis fails, the page still shows the polls. */
function landingRoute({ status, diagnosis, history, about, log }: HttpDependencies): Route {
  let last: { readonly of: Diagnosis | undefined; readonly at: number; readonly page: string } | undefined;
  return {
    path: "/",
    async handle({ query }) {
      const found = await diagnosisOrNone({ diagnosis, log });
      const filter = readFilter(query);
      const { history: recorded, now } = history();
      if (last !== undefined && isEmpty(filter) && last.of === found && Math.abs(now - last.at) < SHARED)
        return pageReply(200, last.page, STATUS_PAGE.policy);
      const day = recorded.running ? dayOf(recorded, { now, since: now - DAY }) : undefined;
      const page = renderStatusPage({ status: status(), diagnosis: found, day, about, filter });
      last = isEmpty(filter) ? { of: found, at: now, page } : last;
      return pageReply(200, page, STATUS_PAGE.policy);
    },
  };
}

/** Reloads the configuration. An invalid one is answered with 500 and every problem; the old one stays in use. */
function reloadRoute({ reload }: HttpDependencies): Route {
  return {
    path: "/-/reload",
    methods: ["POST", "PUT"],
    acts: true,
    async handle() {
      const outcome = await reload();
      if (outcome.ok) return textReply(200, "Configuration reloaded.\n");
      return textReply(500, `Reload failed, the old configuration stays in use: ${outcome.message}\n`);
    },
  };
}
