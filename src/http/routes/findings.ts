import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** What is wrong now, worst first, for programs. */
export function findingsRoute({ diagnosis }: HttpDependencies): Route {
  return {
    path: "/api/v1/findings",
    methods: ["GET"],
    handle: async () => textReply(200, JSON.stringify(await diagnosis()), {}, "application/json"),
  };
}
