import { parser } from "@prometheus-io/lezer-promql";

/** Names in an expression. */
export type Parsed = {
  /** Positions of syntax errors; empty for a valid expression. */
  readonly errors: readonly string[];
  /** By name, or by the pattern of their names. */
  readonly selectors: ReadonlyArray<{ readonly name: string; readonly labels: readonly string[] }>;
  /** Labels of `by`, `without`, `on`, `ignoring` and `group_left`. */
  readonly grouping: readonly string[];
  /** Labels that `label_replace` and `label_join` create. */
  readonly made: readonly string[];
};

/** Parses PromQL as Prometheus's own editor does. */
export function parsePromql(expr: string): Parsed {
  const errors: string[] = [];
  const selectors: Array<{ name: string; labels: string[] }> = [];
  const made: string[] = [];
  const grouping: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, type, from, to, node }) => {
      const text = expr.slice(from, to);
      if (type.isError) errors.push(`${expr.slice(0, from)}⟨here⟩${expr.slice(from)}`);
      if (name === "Identifier" && node.parent?.name === "VectorSelector") selectors.push({ name: text, labels: [] });
      if (name === "LabelReplace" || name === "LabelJoin") {
        const target = node.parent?.nextSibling?.getChild("StringLiteral");
        made.push(expr.slice(target?.from, target?.to).replaceAll('"', ""));
      }
      if (name !== "LabelName") return;
      if (text === "__name__") {
        const pattern = node.parent?.getChild("StringLiteral");
        selectors.push({ name: expr.slice(pattern?.from, pattern?.to).replaceAll('"', ""), labels: [] });
        return;
      }
      if (node.parent?.name === "GroupingLabels") grouping.push(text);
      else selectors.at(-1)?.labels.push(text);
    },
  });
  return { errors, selectors, grouping, made };
}
