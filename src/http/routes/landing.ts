import { DAY, dayOf } from "../../diagnosis/history/day.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { pageReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { readFilter } from "../status-page/status-filter.ts";
import { renderStatusPage } from "../status-page/status-page.ts";
import { CONTENT_SECURITY_POLICY } from "../status-page/page-files.ts";
import { diagnosisOrNone } from "./diagnosis-or-none.ts";

/** The status page. When the diagnosis fails, the page still shows the polls. */
export function landingRoute({ status, diagnosis, history, about, log }: HttpDependencies): Route {
  return {
    path: "/",
    methods: ["GET"],
    async handle({ query }) {
      const found = await diagnosisOrNone({ diagnosis, log });
      const { history: recorded, now } = history();
      const day = recorded.running ? dayOf(recorded, { now, since: now - DAY, strips: "touched" }) : undefined;
      const page = renderStatusPage({ status: status(), diagnosis: found, day, about, filter: readFilter(query) });
      return pageReply(200, page, CONTENT_SECURITY_POLICY);
    },
  };
}
