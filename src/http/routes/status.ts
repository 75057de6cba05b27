import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** What the status page shows, for programs. What is not known is absent. */
export function statusRoute({ status }: HttpDependencies): Route {
  return {
    path: "/api/v1/status",
    methods: ["GET"],
    handle: () => textReply(200, JSON.stringify(status()), {}, "application/json"),
  };
}
