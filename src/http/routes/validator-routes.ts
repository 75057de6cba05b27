import type { Diagnosis } from "../../diagnosis/finding.ts";
import { outageOf } from "../../diagnosis/validator/stake-view.ts";
import { type ValidatorView, findValidators, nearestValidators } from "../../diagnosis/validator/validator-views.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { jsonReply, pageReply, textReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import { renderBadge } from "../validator-page/render-badge.ts";
import { VALIDATOR_PAGE } from "../pages/page-files.ts";
import { durationsOf, readQuestion } from "../validator-page/offline-question.ts";
import { problemsOf } from "../validator-page/render-problems.ts";
import { answerOf, reasonsOf } from "../validator-page/answer-texts.ts";
import { renderUnknownValidator, renderValidatorList } from "../validator-page/render-validator-list.ts";
import { renderValidatorPage } from "../validator-page/render-validator-page.ts";
import { diagnosisOrNone } from "./diagnosis-or-none.ts";

/** Seconds for which a badge can be kept. */
const BADGE_AGE = 60;

/** The pages of the validators, the same as JSON, and their badges. */
export function validatorRoutes(dependencies: HttpDependencies): readonly Route[] {
  return [
    // Relative, so that it works below the prefix of a proxy too.
    { path: "/validator", handle: () => textReply(301, "", { Location: "validator/" }) },
    pageRoute(dependencies),
    jsonRoute(dependencies),
    badgeRoute(dependencies),
  ];
}

function pageRoute({ validators, diagnosis, status, about, log }: HttpDependencies): Route {
  return {
    path: "/validator/",
    below: true,
    async handle({ query, rest }) {
      const views = await validators();
      const { now } = status();
      if (rest === "") return html(200, renderValidatorList(views, now));
      const found = findValidators(views, rest, networkOf(query));
      const [view, ...others] = found;
      if (view === undefined) return html(404, renderUnknownValidator(rest, nearestValidators(views, rest), now));
      if (others.length > 0) return html(300, renderValidatorList(found, now, rest));
      const question = readQuestion(query, "offline");
      const problems = await diagnosisOrNone({ diagnosis, log });
      return html(question.why === undefined ? 200 : 400, renderValidatorPage(view, problems, question, about));
    },
  };
}

function jsonRoute({ validators, diagnosis, log }: HttpDependencies): Route {
  return {
    path: "/api/v1/validator/",
    below: true,
    async handle({ query, rest }) {
      const views = await validators();
      if (rest === "") return jsonReply({ validators: views });
      const found = findValidators(views, rest, networkOf(query));
      const [view, ...others] = found;
      if (view === undefined)
        return jsonReply({ error: "unknown validator", nearest: nearestValidators(views, rest) }, 404);
      if (others.length > 0)
        return jsonReply({ error: "several validators: give the node ID, and the network as ?network=" }, 300);
      const question = readQuestion(query, "offline");
      return question.why === undefined
        ? jsonReply(validatorJson(view, await diagnosisOrNone({ diagnosis, log }), durationsOf(question)))
        : jsonReply({ error: `offline: ${question.why}` }, 400);
    },
  };
}

/** The figures of the page of one validator. Unknown values are absent. `problems` is absent when the diagnosis failed. */
function validatorJson(view: ValidatorView, diagnosis: Diagnosis | undefined, outages: readonly number[]): object {
  const { reward, stakes, at } = view;
  return {
    ...view,
    reward: { ...reward, answer: answerOf(reward), why: reasonsOf(view) },
    stakes: stakes.map((stake) => ({
      ...stake,
      outages: stake.reward.state === "none" ? undefined : outages.map((outage) => outageOf(stake, at, outage)),
    })),
    problems: diagnosis === undefined ? undefined : problemsOf(diagnosis, view),
  };
}

/** Badges are images for other sites: an unknown name is an image too, and it has no list of names. */
function badgeRoute({ validators, badges }: HttpDependencies): Route {
  const access = badges === "public" ? "public" : "private";
  const headers = {
    "Cache-Control": `${access}, max-age=${BADGE_AGE}`,
    "Content-Security-Policy": "default-src 'none'",
  };
  const image = (status: number, svg: string) => textReply(status, svg, headers, "image/svg+xml; charset=utf-8");
  return {
    path: "/badge/",
    below: true,
    isPublic: badges === "public",

    async handle({ query, rest }) {
      if (badges === undefined)
        return textReply(404, "Badges are off: --web.badges=protected or public serves them.\n");
      const name = rest.endsWith(".svg") ? rest.slice(0, -".svg".length) : "";
      const [view, ...others] = findValidators(await validators(), name, networkOf(query));
      return others.length > 0
        ? image(404, renderBadge(undefined))
        : image(view === undefined ? 404 : 200, renderBadge(view));
    },
  };
}

function networkOf(query: URLSearchParams): string | undefined {
  return query.get("network") || undefined;
}

function html(status: number, page: string): Reply {
  return pageReply(status, page, VALIDATOR_PAGE.policy);
}
