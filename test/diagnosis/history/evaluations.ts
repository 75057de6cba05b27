import type { NodeFacts } from "../../../src/diagnosis/node-overviews.ts";
import type { Evaluation } from "../../../src/diagnosis/history/observe.ts";
import type { HistoryProblem } from "../../../src/diagnosis/history/observe-problems.ts";
import { keyOf } from "../../../src/diagnosis/track.ts";

export const START = 1_800_000_000;

/** A firing problem of a node. */
export function problem(node: string, over: Partial<HistoryProblem> = {}): HistoryProblem {
  const cause = { alert: "AvaxBad", severity: "critical" as const, labels: { node }, ...over };
  return { state: "firing", since: START, ...cause, key: keyOf(cause) };
}

type Step = {
  /** Seconds after the start. */
  readonly at: number;
  readonly causes: readonly HistoryProblem[];
  /** Default: the nodes `a` and `b` answer. */
  readonly nodes?: Readonly<Record<string, NodeFacts>>;
  /** Keys of conditions that are true besides the causes. */
  readonly active?: readonly string[];
  readonly ended?: ReadonlyArray<readonly [string, number]>;
  readonly summary?: string;
};

export function evaluation({
  at,
  causes,
  nodes = { a: { up: true }, b: { up: true } },
  active = [],
  ended = [],
  summary,
}: Step): Evaluation {
  return {
    at: START + at,
    causes,
    nodes: new Map(Object.entries(nodes)),
    active: new Set([...active, ...causes.map(({ key }) => key)]),
    ended: new Map(ended),
    summaryOf: ({ labels }) => summary ?? `${labels["node"] ?? ""} is bad`,
  };
}
