import { findValidators, nearestValidators } from "../../diagnosis/validator/find-validators.ts";
import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-view.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { jsonReply, textReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import { renderBadge, renderUnknownBadge } from "../validator-page/badge.ts";
import { CONTENT_SECURITY_POLICY } from "../validator-page/page-files.ts";
import { durationsOf, readQuestion } from "../validator-page/question.ts";
import { validatorJson, validatorListJson } from "../validator-page/validator-json.ts";
import {
  renderAmbiguousValidator,
  renderUnknownValidator,
  renderValidatorList,
} from "../validator-page/validator-list.ts";
import { renderValidatorPage } from "../validator-page/validator-page.ts";

/** Seconds for which a badge can be kept. */
const BADGE_AGE = 60;

/** The pages of the validators, the same as JSON, and their badges where these are switched on. */
export function validatorRoutes(dependencies: HttpDependencies): readonly Route[] {
  return [
    // Relative, so that it works below the prefix of a proxy too.
    { path: "/validator", methods: ["GET"], handle: () => textReply(301, "", { Location: "validator/" }) },
    pageRoute(dependencies),
    jsonRoute(dependencies),
    ...(dependencies.badges === undefined ? [] : [badgeRoute(dependencies)]),
  ];
}

function pageRoute({ validators, diagnosis, status, log }: HttpDependencies): Route {
  return {
    path: "/validator/",
    below: true,
    methods: ["GET"],
    async handle({ query, rest }) {
      const views = await validators();
      const { now } = status();
      if (rest === "") return html(200, renderValidatorList(views, now));
      const network = networkOf(query);
      const found = findValidators(views, rest, network);
      const [view, ...others] = found;
      if (view === undefined) return html(404, renderUnknownValidator(rest, nearestValidators(views, rest), now));
      if (others.length > 0) return html(300, renderAmbiguousValidator(rest, found, now));
      const question = readQuestion(query);
      return html(
        question.kind === "malformed" ? 400 : 200,
        renderValidatorPage({
          view,
          diagnosis: await diagnosisOrNone(diagnosis, log),
          question,
          path: `/validator/${encodeURIComponent(rest)}`,
          network,
        }),
      );
    },
  };
}

function jsonRoute({ validators, diagnosis, log }: HttpDependencies): Route {
  return {
    path: "/api/v1/validator/",
    below: true,
    methods: ["GET"],
    async handle({ query, rest }) {
      const views = await validators();
      if (rest === "") return jsonReply(validatorListJson(views));
      const [view, ...others] = findValidators(views, rest, networkOf(query));
      if (view === undefined)
        return errorReply(404, { error: "unknown validator", nearest: nearestValidators(views, rest) });
      if (others.length > 0) {
        const same = [view, ...others].map(({ nodeId, network }: ValidatorView) => ({ nodeId, network }));
        return errorReply(300, { error: "several validators: give the node ID, and the network as ?network=", same });
      }
      const question = readQuestion(query);
      return question.kind === "malformed"
        ? errorReply(400, { error: `offline: ${question.why}` })
        : jsonReply(validatorJson(view, await diagnosisOrNone(diagnosis, log), durationsOf(question)));
    },
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
    methods: ["GET"],
    async handle({ query, rest }) {
      const name = rest.endsWith(".svg") ? rest.slice(0, -".svg".length) : "";
      const [view, ...others] = name === "" ? [] : findValidators(await validators(), name, networkOf(query));
      return view === undefined || others.length > 0 ? image(404, renderUnknownBadge()) : image(200, renderBadge(view));
    },
  };
}

function networkOf(query: URLSearchParams): string | undefined {
  return query.get("network") || undefined;
}

/** A page without problems is better than none. */
async function diagnosisOrNone(
  diagnosis: HttpDependencies["diagnosis"],
  log: HttpDependencies["log"],
): Promise<Diagnosis | undefined> {
  return diagnosis().catch((error: unknown) => {
    log.error({ err: error }, "diagnosis failed");
    return undefined;
  });
}

function html(status: number, page: string): Reply {
  return textReply(status, page, { "Content-Security-Policy": CONTENT_SECURITY_POLICY }, "text/html; charset=utf-8");
}

function errorReply(status: number, value: object): Reply {
  return { ...jsonReply(value), status };
}
