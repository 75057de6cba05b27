import type { HttpDependencies } from "./dependencies.ts";
import type { Route } from "./route.ts";
import { createEvents } from "./events.ts";
import { configRoute } from "./routes/config.ts";
import { eventsRoute } from "./routes/events.ts";
import { findingsRoute } from "./routes/findings.ts";
import { healthyRoute } from "./routes/healthy.ts";
import { landingRoute } from "./routes/landing.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { probeRoute } from "./routes/probe.ts";
import { readyRoute } from "./routes/ready.ts";
import { reloadRoute } from "./routes/reload.ts";
import { sdRoute } from "./routes/sd.ts";
import { statusRoute } from "./routes/status.ts";

/** Every route by its path. The metrics come last: a telemetry path of `/` takes the place of the status page. */
export function createRoutes(dependencies: HttpDependencies, maxRequests: number): ReadonlyMap<string, Route> {
  const routes = [
    landingRoute(dependencies),
    statusRoute(dependencies),
    findingsRoute(dependencies),
    eventsRoute(createEvents(dependencies.diagnosis, dependencies.log)),
    configRoute(dependencies),
    sdRoute(dependencies),
    probeRoute(dependencies),
    healthyRoute,
    readyRoute(dependencies),
    reloadRoute(dependencies),
    metricsRoute(dependencies, maxRequests),
  ];
  return new Map(routes.map((route) => [route.path, route]));
}
