import type { HttpDependencies } from "../dependencies.ts";
import type { Route } from "../route.ts";
import { createEvents } from "./event-stream.ts";
import { configRoute } from "./config.ts";
import { eventsRoute } from "./events.ts";
import { findingsRoute } from "./findings.ts";
import { healthyRoute } from "./healthy.ts";
import { landingRoute } from "./landing.ts";
import { metricsRoute } from "./metrics.ts";
import { probeRoute } from "./probe.ts";
import { readyRoute } from "./ready.ts";
import { reloadRoute } from "./reload.ts";
import { sdRoute } from "./sd.ts";
import { statusRoute } from "./status.ts";

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
