/** PromQL as a tree: the part of the language that an instant can answer. What looks back in time is parsed and marked. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "selector"; readonly name: string; readonly matchers: readonly Matcher[] }
  | { readonly kind: "history"; readonly of: Expression; readonly how: string }
  | { readonly kind: "call"; readonly name: string; readonly parameters: readonly Expression[] }
  | { readonly kind: "negative"; readonly of: Expression }
  | ({ readonly kind: "aggregate" } & Aggregate)
  | ({ readonly kind: "binary" } & Binary);

export type Matcher = {
  readonly label: string;
  readonly operator: "=" | "!=" | "=~" | "!~";
  readonly value: string;
};

export type Labelling = { readonly keep: boolean; readonly labels: readonly string[] };

export type Aggregate = {
  readonly operator: string;
  /** `keep`: by these labels; else without them. */
  readonly grouping: Labelling;
  readonly parameter: Expression | undefined;
  readonly of: Expression;
};

export type Binary = {
  readonly operator: string;
  readonly bool: boolean;
  /** `keep`: on these labels; else ignoring them. */
  readonly matching: Labelling;
  /** The side with many series to one of the other; `include` are labels that come from the one. */
  readonly many: "left" | "right" | undefined;
  readonly include: readonly string[];
  readonly left: Expression;
  readonly right: Expression;
};

/** An expression that is none, or that these samples cannot be asked. */
export class PromqlError extends Error {}

export const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
export const SET_OPERATORS: ReadonlySet<string> = new Set(["and", "or", "unless"]);

/** The expressions right below this one. */
function parts(expression: Expression): readonly Expression[] {
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

/** Whether the answer depends on what was before this moment: a range, an offset, a subquery. */
export function needsHistory(expression: Expression): boolean {
  return expression.kind === "history" || parts(expression).some(needsHistory);
}

export type Selector = Extract<Expression, { kind: "selector" }>;

/** Every selector, in the order of the text. */
export function selectorsOf(expression: Expression): readonly Selector[] {
  return expression.kind === "selector" ? [expression] : parts(expression).flatMap(selectorsOf);
}
