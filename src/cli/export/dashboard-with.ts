import { EXPORTER_PAGES, TO_EXPORTER } from "../../topics/exporter/exporter-pages.ts";
import { matcherText, type Matcher } from "../../topics/define/selector.ts";
import { RUNBOOK_INDEX, RUNBOOKS } from "../../topics/all/alerts.ts";
import { forOurs, withMatchers } from "../../topics/define/with-matchers.ts";

/** What a user sets of the dashboards. */
type DashboardOptions = {
  /** The job that is chosen when a dashboard opens. */
  readonly job?: string | undefined;
  /** Further matchers of every series. */
  readonly matchers: readonly Matcher[];
  /** Address of the folder of the runbooks. */
  readonly runbooks?: string | undefined;
  /** Address of the exporter for people. */
  readonly exporter?: string | undefined;
};

/** Where a dashboard has PromQL. */
const QUERIES: ReadonlySet<string> = new Set(["expr", "query", "definition"]);

/** A shipped dashboard with the user's matchers, links and job; unchanged without options. */
export function dashboardWith(text: string, { job, matchers, runbooks, exporter }: DashboardOptions): string {
  const more = forOurs(matchers.map(matcherText));
  const changed: unknown = JSON.parse(text, function (this: unknown, key: string, value: unknown) {
    if (job !== undefined && key === "current" && isJobVariable(this))
      return { selected: true, text: [job], value: [job] };
    if (typeof value !== "string") return value;
    return QUERIES.has(key) ? withMatchers(value, more) : toExporter(linked(value, runbooks), exporter);
  });
  return `${JSON.stringify(changed, undefined, 2)}\n`;
}

function isJobVariable(holder: unknown): boolean {
  return typeof holder === "object" && holder !== null && "name" in holder && holder.name === "job";
}

/** A link to a runbook, or to their list, at the user's address. */
function linked(text: string, runbooks: string | undefined): string {
  if (runbooks === undefined || !text.startsWith(RUNBOOKS)) return text;
  return text === RUNBOOK_INDEX ? runbooks : `${runbooks}${text.slice(RUNBOOKS.length).replace(/\.md$/, "")}`;
}

/** A link to a page of the exporter, at the user's address. */
function toExporter(text: string, exporter: string | undefined): string {
  const at = [EXPORTER_PAGES, TO_EXPORTER].find((each) => text.startsWith(each));
  return exporter === undefined || at === undefined ? text : `${exporter}/${text.slice(at.length)}`;
}
