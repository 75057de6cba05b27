import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** Loads the configuration again. A bad one is answered with 500 and every problem; the old one goes on working. */
export function reloadRoute({ reload, log }: HttpDependencies): Route {
  return {
    path: "/-/reload",
    methods: ["POST", "PUT"],
    async handle() {
      const outcome = await reload();
      if (outcome.ok) return textReply(200, "Configuration reloaded.\n");
      log.warn({ problem: outcome.message }, "reload over HTTP failed, the old configuration stays");
      return textReply(500, `The old configuration stays: ${outcome.message}\n`);
    },
  };
}
