import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** Liveness: 200 whenever the process can answer. It never looks at a node, or an outage there would restart the exporter. */
export const healthyRoute: Route = {
  path: "/-/healthy",
  methods: ["GET"],
  handle: () => textReply(200, "OK\n"),
};
