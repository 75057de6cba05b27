import { severityWord, type Diagnosis, type Finding, type Problem } from "../../diagnosis/finding.ts";
import { CONDITIONS, type NodeCondition, type StatusView, type TargetView } from "./status-view.ts";

/** The filter of the status page. It is part of the URL, so that it works without scripts and as a bookmark. */
export type StatusFilter = {
  /** Lower-case words that must all occur in a target or problem. */
  readonly words: readonly string[];
  readonly state: NodeCondition | undefined;
};

/** Parses `?q=words&state=down`. An unknown state is ignored. */
export function readFilter(query: URLSearchParams): StatusFilter {
  const state = query.get("state");
  const words = (query.get("q") ?? "").slice(0, 200).toLowerCase().split(/\s+/);
  return { words: words.filter((word) => word !== ""), state: CONDITIONS.find((condition) => condition === state) };
}

export function isEmpty({ words, state }: StatusFilter): boolean {
  return words.length === 0 && state === undefined;
}

export function filterView(view: StatusView, filter: StatusFilter): StatusView {
  if (isEmpty(filter)) return view;
  const isWanted = (each: TargetView): boolean =>
    (filter.state ?? each.condition) === each.condition && matches(filter, wordsOf(each));
  return { ...view, nodes: view.nodes.filter(isWanted), services: view.services.filter(isWanted) };
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

/**
 * With a state: the problems that concern the targets in view. Otherwise also those that match the words themselves. A problem
 * concerns a target also by what follows from it, and is kept whole.
 */
export function filterProblems({ problems }: Diagnosis, filter: StatusFilter, view: StatusView): readonly Problem[] {
  if (isEmpty(filter)) return problems;
  const nodes = new Set(view.nodes.map(({ target }) => target.name));
  const inView = ({ alert, severity, summary, labels, node }: Finding): boolean => {
    if (nodes.has(node ?? labels["node"] ?? "")) return true;
    return (
      filter.state === undefined &&
      matches(filter, [alert, severityWord(severity), summary, node ?? "", ...Object.values(labels)])
    );
  };
  return problems.filter((problem) => inView(problem) || problem.consequences.some(inView));
}

function matches({ words }: StatusFilter, texts: readonly string[]): boolean {
  const text = texts.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
