import { quoted } from "../../config/base/error-texts.ts";
import { parseDuration } from "../../config/base/units.ts";
import { DAY, dayOf } from "../../diagnosis/history/day.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { jsonReply, textReply } from "../reply.ts";
import type { Route } from "../route.ts";

/** What happened: `?since=` a duration or a Unix time, by default a day; `?node=` for one node. */
export function historyRoute({ history, fleet }: Pick<HttpDependencies, "history" | "fleet">): Route {
  return {
    path: "/api/v1/history",

    handle({ query }) {
      const { history: recorded, now } = history();
      const since = readSince(query.get("since") ?? "24h", now);
      if (since === undefined)
        return textReply(400, "since must be a duration such as 24h, or a Unix time that is not in the future\n");
      const node = query.get("node") ?? undefined;
      if (node !== undefined && !recorded.nodes.has(node) && !fleet().some(({ name }) => name === node))
        return textReply(400, `node: ${quoted(node)} is not a configured node\n`);
      return jsonReply(dayOf(recorded, { now, since: Math.max(since, now - MOST), node }));
    },
  };
}

/** Seconds: the history has a day, and an answer with more slots would have only unknown ones. */
const MOST = 2 * DAY;

/** Unix seconds. */
function readSince(text: string, now: number): number | undefined {
  const time = /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
  const duration = parseDuration(text) || undefined;
  const since = time ?? (duration === undefined ? undefined : now - duration);
  return since === undefined || since > now ? undefined : since;
}
