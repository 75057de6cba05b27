import type { Source } from "./promql/evaluate.ts";
import { evaluate } from "./promql/evaluate.ts";
import { withoutMatchersOf } from "./promql/expression.ts";
import { parse } from "./promql/parse.ts";
import { labelsOf, type Labels, type Sample } from "./promql/sample.ts";
import { fixed, general, humanize, humanizeDuration, humanizePercentage } from "./humanize.ts";
import { parseTemplate, unsupported, type Command, type Node, type Operand, type Pipeline } from "./template-syntax.ts";

/**
 * Expands the templates in the texts of alerts as Prometheus does, so that a finding has the same text as a notification:
 * labels, values, comparisons with a number, `printf`, and queries of the current samples.
 */

export type Filling = {
  readonly labels: Labels;
  readonly value: number;
  /** The samples that a template queries; without them every result is empty. */
  readonly samples?: Source | undefined;
};

/** What a part of a template sees: the filling, the element, and the positions of the loops around it. */
type Scope = Filling & {
  readonly dot?: Value | undefined;
  readonly positions?: Readonly<Record<string, bigint>>;
};

/** Integers are `bigint`. */
type Value = string | number | bigint | boolean | Sample | readonly Sample[];

/** A scrape adds these labels. The samples of one exporter lack them. */
const OF_SCRAPE: readonly string[] = ["instance", "job"];

/** @throws RangeError for what is not supported, and where Prometheus fails too; PromqlError for an invalid query */
export function expand(template: string, filling: Filling): string {
  return written(parseTemplate(template), filling);
}

function written(nodes: readonly Node[], scope: Scope): string {
  let text = "";
  for (const node of nodes) {
    if (node.kind === "text") text += node.text;
    else {
      const value = evaluated(node.pipeline, scope);
      if (node.kind === "output") text += textOf(value);
      else if (!isTrue(value)) text += written(node.otherwise, scope);
      else if (node.kind === "range")
        for (const [at, each] of vectorOf(value).entries())
          text += written(node.body, { ...scope, dot: each, ...positioned(scope, node.position, at) });
      else text += written(node.body, node.kind === "with" ? { ...scope, dot: value } : scope);
    }
  }
  return text;
}

function positioned({ positions }: Scope, name: string | undefined, at: number): Pick<Scope, "positions"> {
  return name === undefined ? {} : { positions: { ...positions, [name]: BigInt(at) } };
}

/** Empty texts, empty results and 0 are not true. */
function isTrue(value: Value): boolean {
  return isVector(value) ? value.length > 0 : Boolean(value);
}

/** A pipeline passes each result on as the last argument of the next command. */
function evaluated(pipeline: Pipeline, scope: Scope): Value {
  let result: Value | undefined;
  for (const command of pipeline) {
    const given = command.operands.map((operand) => valueOf(operand, scope));
    if (result !== undefined) given.push(result);
    result = command.name === "query" ? queried(given, scope.samples) : computed(command, given);
  }
  if (result === undefined) throw unsupported("");
  return result;
}

function queried([query, ...rest]: readonly Value[], samples: Source | undefined): readonly Sample[] {
  if (typeof query !== "string" || rest.length > 0) throw unsupported("query");
  const expression = withoutMatchersOf(parse(query), OF_SCRAPE);
  if (samples === undefined) return [];
  const value = evaluate(expression, samples);
  if (typeof value === "number") throw unsupported(`query ${query}`);
  return value;
}

function valueOf(operand: Operand, { labels, value, dot, positions = {} }: Scope): Value {
  switch (operand.kind) {
    case "constant":
      return operand.value;
    case "label":
      return labels.get(operand.name) ?? "";
    case "value":
      return value;
    case "dot":
      return fieldOf(dot, operand.path);
    case "position": {
      const position = positions[operand.name];
      if (position === undefined) throw unsupported(`$${operand.name}`);
      return position;
    }
  }
}

function fieldOf(dot: Value | undefined, [field, label, ...rest]: readonly string[]): Value {
  if (dot === undefined) throw unsupported(".");
  if (field === undefined) return dot;
  if (!isSample(dot) || rest.length > 0) throw unsupported(`.${field}`);
  if (field === "Value" && label === undefined) return dot.value;
  if (field !== "Labels" || label === undefined) throw unsupported(`.${field}`);
  return labelsOf(dot).get(label) ?? "";
}

const FUNCTIONS: Readonly<Record<string, (...given: readonly Value[]) => Value>> = {
  humanize: (value) => humanize(numberOf(value)),
  humanizeDuration: (value) => humanizeDuration(numberOf(value)),
  humanizePercentage: (value) => humanizePercentage(numberOf(value)),
  printf: (format, ...given) => formatted(textOf(format), given),
  lt: (a, b) => order(a, b) < 0,
  le: (a, b) => order(a, b) <= 0,
  gt: (a, b) => order(a, b) > 0,
  ge: (a, b) => order(a, b) >= 0,
  // Go's `or`: the first argument that is not empty.
  or: (...given) => given.find(isTrue) ?? given.at(-1) ?? "",
  first(samples) {
    const [first] = vectorOf(samples);
    if (first === undefined) throw new RangeError("first is given no samples");
    return first;
  },
  label: (name, sample) => fieldOf(sample, ["Labels", textOf(name)]),
  value: (sample) => fieldOf(sample, ["Value"]),
  sortByLabel(name, samples) {
    const by = (sample: Sample): string => labelsOf(sample).get(textOf(name)) ?? "";
    return vectorOf(samples).toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
  },
};

function computed({ name }: Command, given: readonly Value[]): Value {
  if (name === undefined) {
    const [value, ...more] = given;
    if (value === undefined || more.length > 0) throw unsupported("a value with arguments");
    return value;
  }
  const compute = FUNCTIONS[name];
  if (compute === undefined) throw unsupported(name);
  return compute(...given);
}

/** Go's `printf` with %q and %s for texts, %f and %g for numbers, %v for both. */
function formatted(format: string, given: readonly Value[]): string {
  let used = 0;
  const text = format.replaceAll(/%(?:\.(\d+))?([a-z%])/g, (whole, digits: string | undefined, verb: string) => {
    if (verb === "%") return "%";
    const value = given[used++];
    if (verb === "v" && value !== undefined) return textOf(value);
    if (verb === "q" && typeof value === "string") return JSON.stringify(value);
    if (verb === "s" && typeof value === "string") return value;
    if (verb === "f" && typeof value === "number" && Number.isFinite(value)) return fixed(value, Number(digits ?? 6));
    if ((verb === "f" || verb === "g") && typeof value === "number") return general(value, Number(digits ?? Infinity));
    throw unsupported(`printf ${whole}`);
  });
  if (used !== given.length) throw unsupported(`printf ${JSON.stringify(format)}`);
  return text;
}

/** Negative, 0 or positive; NaN where one of the numbers is NaN. */
function order(a: Value | undefined, b: Value | undefined): number {
  if (typeof a === "bigint" && typeof b === "bigint") return Number(a - b);
  const [left, right] = [numberOf(a), numberOf(b)];
  return left === right ? 0 : left - right;
}

function textOf(value: Value | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return general(value, Infinity);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  throw new RangeError("the result of a query is not a text");
}

function numberOf(value: Value | undefined): number {
  if (typeof value !== "number")
    throw new RangeError(`not a number: ${typeof value === "bigint" ? value : JSON.stringify(value)}`);
  return value;
}

function vectorOf(value: Value | undefined): readonly Sample[] {
  if (value === undefined || !isVector(value)) throw new RangeError("not the result of a query");
  return value;
}

function isVector(value: Value): value is readonly Sample[] {
  return Array.isArray(value);
}

function isSample(value: Value | undefined): value is Sample {
  return typeof value === "object" && "series" in value;
}
