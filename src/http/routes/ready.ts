import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

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
