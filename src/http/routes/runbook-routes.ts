import type { HttpDependencies } from "../http-dependencies.ts";
import { pageReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import { renderRunbookIndex, renderUnknownRunbook } from "../runbooks/render-runbook-index.ts";
import { renderRunbook } from "../runbooks/render-runbook.ts";
import { RUNBOOK_PAGE } from "../pages/page-files.ts";
import { diagnosisOrNone } from "./diagnosis-or-none.ts";

/** The runbooks: the index on `/runbooks` and `/runbooks/`, and one page for each alert below. */
export function runbookRoutes(dependencies: HttpDependencies): readonly Route[] {
  const { alertGroups } = dependencies;
  const handle: Route["handle"] = async ({ rest: name, query }) => {
    const alerts = alertGroups().flatMap((group) => group.alerts);
    const alert = alerts.find((each) => each.name === name);
    if (name !== "" && alert === undefined) return page(404, renderUnknownRunbook(name, alerts));
    const diagnosis = await diagnosisOrNone(dependencies);
    return page(
      200,
      alert === undefined
        ? renderRunbookIndex(alertGroups(), diagnosis, query.get("q") ?? "")
        : renderRunbook(alert, { ...dependencies, diagnosis }, query.get("node") ?? undefined),
    );
  };
  return [
    { path: "/runbooks", handle },
    { path: "/runbooks/", below: true, handle },
  ];
}

function page(status: number, markup: string): Reply {
  return pageReply(status, markup, RUNBOOK_PAGE.policy);
}
