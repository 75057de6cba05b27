import type { Matcher } from "../../topics/define/selector.ts";

/** The syntax tree of a PromQL expression. Ranges, offsets and subqueries are kind `history` and are not evaluated. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "selector"; readonly name: string; readonly matchers: readonly Matcher[] }
  | { readonly kind: "history"; readonly of: Expression }
  | { readonly kind: "call"; readonly name: string; readonly parameters: readonly Expression[] }
  | { readonly kind: "negative"; readonly of: Expression }
  | ({ readonly kind: "aggregate" } & Aggregate)
  | ({ readonly kind: "binary" } & Binary);

export type Labelling = { readonly keep: boolean; readonly labels: readonly string[] };

type Aggregate = {
  readonly operator: string;
  /** `keep` is `by`, otherwise `without`. */
  readonly grouping: Labelling;
  readonly parameter: Expression | undefined;
  readonly of: Expression;
};

export type Binary = {
  readonly operator: string;
  /** `keep` is `on`, otherwise `ignoring`. */
  readonly matching: Labelling;
  /** The "many" side of a many-to-one match; `include` are the labels copied from the "one" side. */
  readonly many: "left" | "right" | undefined;
  readonly include: readonly string[];
  readonly left: Expression;
  readonly right: Expression;
};

/** The expression is invalid, or cannot be evaluated on these samples. */
export class PromqlError extends Error {}

export const SET_OPERATORS: ReadonlySet<string> = new Set(["and", "or", "unless"]);

/** The direct operands. */
function operands(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "number":
    case "selector":
      return [];
    case "history":
    case "negative":
      return [expression.of];
    case "call":
      return expression.parameters;
    case "aggregate":
      return expression.parameter === undefined ? [expression.of] : [expression.parameter, expression.of];
    case "binary":
      return [expression.left, expression.right];
  }
}

/** Whether the result depends on earlier samples: a range, an offset or a subquery. */
export function needsHistory(expression: Expression): boolean {
  if (presentOf(expression) !== undefined) return false;
  return expression.kind === "history" || operands(expression).some(needsHistory);
}

/** Of one sample they are the sample itself. */
const OF_ONE_SAMPLE: ReadonlySet<string> = new Set(["last_over_time", "max_over_time", "min_over_time"]);

/**
 * The operand of the last, largest or smallest sample of a range: of the current sample alone, each is this sample. `undefined`
 * for other expressions.
 */
export function presentOf(expression: Expression): Selector | undefined {
  if (expression.kind !== "call" || !OF_ONE_SAMPLE.has(expression.name)) return undefined;
  const [range] = expression.parameters;
  return range?.kind === "history" && range.of.kind === "selector" ? range.of : undefined;
}

export type Selector = Extract<Expression, { kind: "selector" }>;

/** All selectors, in source order. */
export function selectorsOf(expression: Expression): readonly Selector[] {
  return expression.kind === "selector" ? [expression] : operands(expression).flatMap(selectorsOf);
}
