import type { Matcher } from "../../topics/define/selector.ts";
import { aggregated } from "./aggregate.ts";
import { combined, type Value } from "./binary.ts";
import { presentOf, PromqlError, type Expression, type Selector } from "./expression.ts";
import { labelOf, type Sample } from "./sample.ts";

/** The samples of one instant. */
export type Source = {
  /** The result of `time()`: Unix seconds. */
  readonly now: number;
  /** All samples of a metric. */
  readonly samples: (name: string) => readonly Sample[];
};

/**
 * Evaluates an expression as an instant query of Prometheus.
 * @throws PromqlError for an expression that needs history or is not supported, and where Prometheus fails too
 */
export function evaluate(expression: Expression, source: Source): Value {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "selector":
      return selected(expression, source);
    case "history":
      throw new PromqlError("it needs history");
    case "negative": {
      const value = evaluate(expression.of, source);
      return typeof value === "number" ? -value : mapped(value, (each) => -each);
    }
    case "aggregate": {
      const { operator, grouping, parameter, of } = expression;
      const given = parameter === undefined ? NaN : numberOf(evaluate(parameter, source), operator);
      return aggregated(operator, grouping, given, vectorOf(evaluate(of, source), operator));
    }
    case "binary": {
      const left = evaluate(expression.left, source);
      // The right side is not evaluated where the result is empty without it.
      if (typeof left !== "number" && left.length === 0 && expression.operator !== "or") return [];
      return combined(expression, left, evaluate(expression.right, source));
    }
    case "call": {
      const present = presentOf(expression);
      if (present !== undefined) {
        const found = selected(present, source);
        return expression.name === "last_over_time" ? found : found.map((sample) => ({ ...sample, name: "" }));
      }
      return called(expression.name, expression.parameters, source);
    }
  }
}

/** A scrape adds these labels. The samples of one exporter lack them. */
const OF_SCRAPE: readonly string[] = ["instance", "job"];

function selected({ name, matchers }: Selector, source: Source): readonly Sample[] {
  const all = source.samples(name);
  if (matchers.length === 0) return all;
  const tests = matchers
    .filter(({ label }) => !OF_SCRAPE.includes(label))
    .map((matcher) => ({ label: matcher.label, matches: valueTest(matcher) }));
  return all.filter((sample) => tests.every(({ label, matches }) => matches(labelOf(sample, label) ?? "")));
}

/** The test of a matcher on a label's value. Expressions match the whole value. */
export function valueTest({ operator, value }: Pick<Matcher, "operator" | "value">): (text: string) => boolean {
  if (operator === "=") return (text) => text === value;
  if (operator === "!=") return (text) => text !== value;
  const pattern = new RegExp(`^(?:${value})$`, "s");
  return (text) => pattern.test(text) === (operator === "=~");
}

function called(name: string, [parameter]: readonly Expression[], source: Source): Value {
  if (name === "time") return source.now;
  if (name !== "abs" || parameter === undefined) throw new PromqlError(`${name} is not evaluated here`);
  return mapped(vectorOf(evaluate(parameter, source), name), Math.abs);
}

function mapped(samples: readonly Sample[], compute: (value: number) => number): readonly Sample[] {
  return samples.map(({ series, value }) => ({ name: "", series, value: compute(value) }));
}

function vectorOf(value: Value, operator: string): readonly Sample[] {
  if (typeof value === "number") throw new PromqlError(`${operator} takes samples, not a number`);
  return value;
}

function numberOf(value: Value, operator: string): number {
  if (typeof value !== "number") throw new PromqlError(`${operator} takes a number, not samples`);
  return value;
}
