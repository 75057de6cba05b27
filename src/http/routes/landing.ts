import { DAY, dayOf } from "../../history/day.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { textReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { readFilter } from "../status-page/status-filter.ts";
import { renderStatusPage } from "../status-page/status-page.ts";
import { CONTENT_SECURITY_POLICY } from "../status-page/page-files.ts";

/** The status page. When the diagnosis fails, the page still shows the polls. */
export function landingRoute({ status, diagnosis, history, about, log }: HttpDependencies): Route {
  return {
    path: "/",
    methods: ["GET"],
    async handle({ query }) {
      const found = await diagnosis().catch((error: unknown) => {
        log.error({ err: error }, "diagnosis failed");
        return undefined;
      });
      const { history: recorded, now } = history();
      const day = recorded.running ? dayOf(recorded, { now, since: now - DAY, strips: "touched" }) : undefined;
      return textReply(
        200,
        renderStatusPage({ status: status(), diagnosis: found, day, about, filter: readFilter(query) }),
        { "Content-Security-Policy": CONTENT_SECURITY_POLICY },
        "text/html; charset=utf-8",
      );
    },
  };
}
