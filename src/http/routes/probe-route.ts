import type { HttpDependencies, ProbeRefusal } from "../http-dependencies.ts";
import { expositionReply, textReply, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";

const STATUS = { busy: 503, forbidden: 403, malformed: 400, module: 400 } as const satisfies Readonly<
  Record<ProbeRefusal["refused"], number>
>;

/** Upper limit of a scrape's timeout, in seconds. */
const MAX_TIMEOUT = 300;

/**
 * Probes one node during the scrape: `?target=` is a node's name or URL, `&module=` selects the endpoints, `&debug=true` adds
 * the result of each poll. For a node that fails the response is 200 with `probe_success 0`.
 */
export function probeRoute({ probe }: HttpDependencies): Route {
  return {
    path: "/probe",

    acts: true,
    async handle({ query, header }) {
      const [target, ...otherTargets] = query.getAll("target");
      const [module, ...otherModules] = query.getAll("module").filter((name) => name !== "");
      if (target === undefined || target === "")
        return textReply(400, "target is missing: give the name of a configured node or its URL.\n");
      if (otherTargets.length + otherModules.length > 0)
        return textReply(400, "A probe takes one target and at most one module.\n");
      const answer = await probe({
        target,
        module,
        timeout: secondsOf(header("x-prometheus-scrape-timeout-seconds")),
        debug: query.get("debug") === "true",
        accept: header("accept"),
        acceptEncoding: header("accept-encoding"),
      });
      return "refused" in answer ? refusalReply(answer) : expositionReply(answer);
    },
  };
}

function refusalReply({ refused, why }: ProbeRefusal): Reply {
  return textReply(STATUS[refused], `${why}\n`, refused === "busy" ? { "Retry-After": "5" } : {});
}

function secondsOf(text: string | undefined): number | undefined {
  const seconds = Number(text ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_TIMEOUT) : undefined;
}
