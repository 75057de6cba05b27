import type { HttpDependencies } from "../server/dependencies.ts";
import { textReply } from "../server/reply.ts";
import type { Route } from "../server/route.ts";

/** Readiness: 200 or 503, with the reason in words. */
export function readyRoute({ ready }: HttpDependencies): Route {
  return {
    path: "/-/ready",
    methods: ["GET"],
    handle() {
      const verdict = ready();
      return textReply(verdict.ready ? 200 : 503, `${verdict.why}\n`);
    },
  };
}
