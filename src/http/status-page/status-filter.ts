import type { Diagnosis, Finding } from "../../diagnosis/finding.ts";
import { CONDITIONS, type Condition, type StatusView, type TargetView } from "./status-view.ts";

/** What a reader wants to see. It is the page's query, so that it works without scripts and can be kept as a link. */
export type Filter = {
  /** Words that all must be somewhere in what is shown, whatever their case. */
  readonly words: readonly string[];
  readonly state: Condition | undefined;
};

/** `?q=words&state=down`; what is not known is no filter. */
export function readFilter(query: URLSearchParams): Filter {
  const state = query.get("state");
  const words = (query.get("q") ?? "").slice(0, 200).toLowerCase().split(/\s+/);
  return { words: words.filter((word) => word !== ""), state: CONDITIONS.find((each) => each === state) };
}

export function isEmpty({ words, state }: Filter): boolean {
  return words.length === 0 && state === undefined;
}

/** The targets that are wanted. */
export function filterView(view: StatusView, filter: Filter): StatusView {
  if (isEmpty(filter)) return view;
  const wanted = (condition: Condition) =>
    filter.state === undefined || filter.state === condition
      ? view.targets[condition].filter((each) => matches(filter, wordsOf(each)))
      : [];
  return {
    ...view,
    targets: {
      down: wanted("down"),
      failing: wanted("failing"),
      troubled: wanted("troubled"),
      unknown: wanted("unknown"),
      healthy: wanted("healthy"),
    },
  };
}

function wordsOf({ target, condition }: TargetView): readonly string[] {
  const failing = target.endpoints.filter(({ state }) => state === "failing");
  return [
    target.name,
    target.url,
    target.network ?? "",
    target.nodeId ?? "",
    condition,
    ...failing.flatMap(({ id, key, error }) => [id, key, error?.reason ?? ""]),
  ];
}

/** The problems that are wanted: by their own words, and with a state those of the nodes in it. */
export function filterFindings({ findings }: Diagnosis, filter: Filter, shown: StatusView): readonly Finding[] {
  if (isEmpty(filter)) return findings;
  const nodes = new Set(CONDITIONS.flatMap((condition) => shown.targets[condition].map(({ target }) => target.name)));
  return findings.filter(({ alert, severity, summary, labels }) => {
    const node = labels["node"];
    if (filter.state !== undefined) return node !== undefined && nodes.has(node);
    return (
      (node !== undefined && nodes.has(node)) || matches(filter, [alert, severity, summary, ...Object.values(labels)])
    );
  });
}

function matches({ words }: Filter, texts: readonly string[]): boolean {
  const text = texts.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
