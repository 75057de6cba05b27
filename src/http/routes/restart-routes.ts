import { planOf, USUAL_DOWN, type RestartPlan } from "../../diagnosis/restart/restart-plan.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { VALIDATOR_PAGE } from "../pages/page-files.ts";
import { jsonReply, pageReply } from "../reply.ts";
import { renderRestartPage } from "../restart-page/render-restart-page.ts";
import type { Route } from "../route.ts";
import { readQuestion } from "../validator-page/offline-question.ts";

/** Which nodes can go down now, and in which order all of them can: a page, and JSON for hooks of deployments. */
export function restartRoutes({ restarts }: Pick<HttpDependencies, "restarts">): readonly Route[] {
  const asked = async (query: URLSearchParams) => {
    const question = readQuestion(query, "down");
    const version = query.get("version")?.trim().slice(0, 60) || undefined;
    const { seconds: down = USUAL_DOWN } = question;
    return { question, version, plan: planOf(await restarts(), { down, version }) };
  };
  return [
    {
      path: "/restart",

      async handle({ query }) {
        const { question, version, plan } = await asked(query);
        const status = question.why === undefined ? 200 : 400;
        return pageReply(status, renderRestartPage(plan, question, version), VALIDATOR_PAGE.policy);
      },
    },
    {
      path: "/api/v1/restart",

      async handle({ query }) {
        const { question, plan } = await asked(query);
        if (question.why !== undefined) return jsonReply({ error: `down: ${question.why}` }, 400);
        const node = query.get("node") ?? undefined;
        const nodes = plan.nodes.filter((each) => node === undefined || each.node === node);
        return node !== undefined && nodes.length === 0
          ? jsonReply({ error: "no polled node has this name" }, 404)
          : jsonReply({ ...plan, nodes } satisfies RestartPlan);
      },
    },
  ];
}
