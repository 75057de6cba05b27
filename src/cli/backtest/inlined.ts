import { type Expression } from "../../diagnosis/promql/expression.ts";
import type { Alert } from "../../topics/define/alert.ts";
import { forOurs, withMatchers } from "../../topics/define/with-matchers.ts";
import { parse } from "../../diagnosis/promql/parse.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { RECORDINGS } from "../../topics/all/recordings.ts";

/** A recorded series with its matchers and its range. */
const RECORDED = /(?<![\w:])([a-z]+:avax_\w+:\w+)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?(?:\[(\w+)\])?/g;
const EXPRESSIONS: ReadonlyMap<string, string> = new Map(RECORDINGS.map(({ name, expr }) => [name, expr]));

/**
 * The expression with each recorded series replaced by what it records: Prometheus can lack the series for a part of the period, or
 * have those of an older release. A range is a subquery then. @param step seconds
 */
export function inlined(expr: string, step: number): string {
  return expr.replaceAll(RECORDED, (whole, name: string, matchers?: string, range?: string) => {
    const recorded = EXPRESSIONS.get(name);
    if (recorded === undefined) return whole;
    const inside = inlined(matchers === undefined ? recorded : withMatchers(recorded, forOurs([matchers])), step);
    return range === undefined ? `(${inside})` : `(${inside})[${range}:${step}s]`;
  });
}

/**
 * The condition of an alert as two: what makes it fire, and, of a page that lasts while its node is silent, what makes it last once
 * it fires. Its expression reads whether Prometheus had fired it, which the backtest knows itself.
 */
export function partsOf({ expr, whileSilent }: Pick<Alert, "expr" | "whileSilent">): {
  readonly fires: string;
  readonly lasts: string | undefined;
} {
  if (whileSilent === undefined) return { fires: expr, lasts: undefined };
  return {
    fires: expr.slice(0, expr.lastIndexOf(` or ${whileSilent} and on `)),
    lasts: `${whileSilent} and on (job, instance, node) ${polling.metrics.up} == 0`,
  };
}

/** The names of the series without which the condition of an alert is never met, of those that do not exist; empty where it can be met. */
export function missingOf(
  alert: Pick<Alert, "expr" | "whileSilent">,
  exists: (name: string) => boolean,
): readonly string[] {
  return [...new Set(missingIn(parse(inlined(partsOf(alert).fires, 1)), exists))];
}

function missingIn(expression: Expression, exists: (name: string) => boolean): readonly string[] {
  const inside = (each: Expression): readonly string[] => missingIn(each, exists);
  switch (expression.kind) {
    case "number":
      return [];
    case "selector":
      return exists(expression.name) ? [] : [expression.name];
    case "history":
    case "negative":
    case "aggregate":
      return inside(expression.of);
    case "call":
      return expression.name === "absent" ? [] : expression.parameters.flatMap(inside);
    case "binary": {
      const [left, right] = [inside(expression.left), inside(expression.right)];
      if (expression.operator === "unless") return left;
      if (expression.operator !== "or") return [...left, ...right];
      return left.length === 0 || right.length === 0 ? [] : [...left, ...right];
    }
  }
}
