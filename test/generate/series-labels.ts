import { SET_OPERATORS, type Expression, type Labelling } from "../../src/diagnosis/promql/expression.ts";
import { parse } from "../../src/diagnosis/promql/parse.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** Labels of series by name. */
export type SeriesLabels = ReadonlyMap<string, readonly string[]>;

/** The labels that each alert can carry when it fires, those of a scrape included: from its expression, not from a case of it. */
export function alertLabels(): ReadonlyMap<string, readonly string[]> {
  // What Prometheus writes for each alert; those of a page about a node have its labels.
  const ofAlerts = ["alertname", "alertstate", "severity", "node", "network", "instance", "job"];
  let known: SeriesLabels = new Map([...VOCABULARY, ["ALERTS", ofAlerts]]);
  for (const { name, expr } of RECORDINGS) known = new Map([...known, [name, resultLabels(expr, known)]]);
  return new Map(ALERTS.map(({ name, expr }) => [name, resultLabels(expr, known)]));
}

/** Functions whose result is a number, or a vector without labels. */
const WITHOUT_LABELS = new Set(["absent", "absent_over_time", "vector"]);
const SCALARS = new Set(["time", "scalar", "pi"]);

/**
 * Labels that the result of an expression can carry.
 * @throws Error for a series that is not in `known`
 */
export function resultLabels(expr: string, known: SeriesLabels): readonly string[] {
  return labelsOf(parse(expr), known) ?? [];
}

/** Undefined for a scalar. */
function labelsOf(expression: Expression, known: SeriesLabels): readonly string[] | undefined {
  switch (expression.kind) {
    case "number":
      return undefined;
    case "selector": {
      const labels = known.get(expression.name);
      if (labels === undefined) throw new Error(`no series ${expression.name}`);
      return labels;
    }
    case "history":
    case "negative":
      return labelsOf(expression.of, known);
    case "call":
      if (SCALARS.has(expression.name)) return undefined;
      if (WITHOUT_LABELS.has(expression.name)) return [];
      return expression.parameters.map((each) => labelsOf(each, known)).find((labels) => labels !== undefined);
    case "aggregate":
      return kept(labelsOf(expression.of, known) ?? [], expression.grouping);
    case "binary": {
      const left = labelsOf(expression.left, known);
      const right = labelsOf(expression.right, known);
      if (left === undefined || right === undefined) return left ?? right;
      return combined(expression, left, right);
    }
  }
}

function combined(
  { operator, matching, many, include }: Extract<Expression, { kind: "binary" }>,
  left: readonly string[],
  right: readonly string[],
): readonly string[] {
  if (SET_OPERATORS.has(operator)) return operator === "or" ? [...new Set([...left, ...right])] : left;
  if (many === undefined) return kept(left, matching);
  return [...new Set([...(many === "left" ? left : right), ...include])];
}

function kept(labels: readonly string[], { keep, labels: named }: Labelling): readonly string[] {
  return labels.filter((label) => named.includes(label) === keep);
}
