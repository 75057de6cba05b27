import { findValidators, nearestValidators } from "../../diagnosis/validator/find-validators.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { jsonReply, pageReply, textReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import { renderBadge, renderUnknownBadge } from "../validator-page/badge.ts";
import { VALIDATOR_PAGE } from "../pages/page-files.ts";
import { durationsOf, readQuestion } from "../validator-page/question.ts";
import { validatorJson, validatorListJson } from "../validator-page/validator-json.ts";
import {
  renderAmbiguousValidator,
  renderUnknownValidator,
  renderValidatorList,
} from "../validator-page/validator-list.ts";
import { renderValidatorPage } from "../validator-page/validator-page.ts";
import { diagnosisOrNone } from "./diagnosis-or-none.ts";

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

function pageRoute({ validators, diagnosis, status, about, log }: HttpDependencies): Route {
  return {
    path: "/validator/",
    below: true,
    methods: ["GET"],
    async handle({ query, rest }) {
      const network = networkOf(query);
      const found = lookUp(await validators(), rest, network);
      const { now } = status();
      if (found.kind === "all") return html(200, renderValidatorList(found.views, now));
      if (found.kind === "unknown") return html(404, renderUnknownValidator(rest, found.nearest, now));
      if (found.kind === "ambiguous") return html(300, renderAmbiguousValidator(rest, found.views, now));
      const question = readQuestion(query);
      return html(
        question.kind === "malformed" ? 400 : 200,
        renderValidatorPage({
          view: found.view,
          diagnosis: await diagnosisOrNone({ diagnosis, log }),
          question,
          path: `/validator/${encodeURIComponent(rest)}`,
          network,
          about,
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
      const found = lookUp(await validators(), rest, networkOf(query));
      if (found.kind === "all") return jsonReply(validatorListJson(found.views));
      if (found.kind === "unknown") return errorReply(404, { error: "unknown validator", nearest: found.nearest });
      if (found.kind === "ambiguous") {
        const same = found.views.map(({ nodeId, network }) => ({ nodeId, network }));
        return errorReply(300, { error: "several validators: give the node ID, and the network as ?network=", same });
      }
      const question = readQuestion(query);
      return question.kind === "malformed"
        ? errorReply(400, { error: `offline: ${question.why}` })
        : jsonReply(validatorJson(found.view, await diagnosisOrNone({ diagnosis, log }), durationsOf(question)));
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
      const found = lookUp(await validators(), name, networkOf(query));
      return found.kind === "one" ? image(200, renderBadge(found.view)) : image(404, renderUnknownBadge());
    },
  };
}

/** What the text below a path names. */
type Found =
  | { readonly kind: "all"; readonly views: readonly ValidatorView[] }
  | { readonly kind: "unknown"; readonly nearest: readonly string[] }
  | { readonly kind: "ambiguous"; readonly views: readonly ValidatorView[] }
  | { readonly kind: "one"; readonly view: ValidatorView };

function lookUp(views: readonly ValidatorView[], name: string, network: string | undefined): Found {
  if (name === "") return { kind: "all", views };
  const found = findValidators(views, name, network);
  const [view, ...others] = found;
  if (view === undefined) return { kind: "unknown", nearest: nearestValidators(views, name) };
  return others.length > 0 ? { kind: "ambiguous", views: found } : { kind: "one", view };
}

function networkOf(query: URLSearchParams): string | undefined {
  return query.get("network") || undefined;
}

function html(status: number, page: string): Reply {
  return pageReply(status, page, VALIDATOR_PAGE.policy);
}

function errorReply(status: number, value: object): Reply {
  return { ...jsonReply(value), status };
}
