import type { Source } from "./promql/evaluate.ts";
import { evaluate } from "./promql/evaluate.ts";
import { parse } from "./promql/parse.ts";
import { labelOf, type Labels, type Sample } from "./promql/sample.ts";
import { fixed, general, humanizeDuration, humanizePercentage } from "./humanize.ts";

/**
 * Expands the templates in the titles of alerts as Prometheus does, so that a finding has the same title as a notification. What no
 * title uses is not supported.
 */

export type Filling = {
  readonly labels: Labels;
  readonly value: number;
  /** The samples that a template queries; without them every result is empty. */
  readonly samples?: Source | undefined;
};

/** What a part of a template sees: the filling, and the element and the position of the loop around it. */
type Scope = Filling & { readonly dot?: Value; readonly position?: number };

type Value = string | number | boolean | Sample | readonly Sample[];

type Writer = (scope: Scope) => string;

/** Between two braces: a template that is split by it has text and actions in turn. */
const ACTION = /\{\{ ((?:"(?:[^"\\]|\\.)*"|[^"}])*?) \}\}/;
const WORD = /"(?:[^"\\]|\\.)*"|[^\s"]+/g;

/** @throws RangeError for what is not supported, and where Prometheus fails too; PromqlError for an invalid query */
export function expand(template: string, filling: Filling): string {
  const { write, end } = block(template.split(ACTION).entries());
  if (end !== undefined) throw unsupported(end);
  return write(filling);
}

/** Reads up to `else`, `end` or the end of the template. */
function block(pieces: ArrayIterator<[number, string]>): { readonly write: Writer; readonly end: string | undefined } {
  const writers: Writer[] = [];
  const write: Writer = (scope) => writers.map((each) => each(scope)).join("");
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    const [index, text] = next.value;
    const isText = index % 2 === 0;
    if (isText && text.includes("{{")) throw unsupported(text);
    if (!isText && (text === "else" || text === "end")) return { write, end: text };
    const [, kind, given = ""] = /^(if|with|range) (.*)$/s.exec(text) ?? [];
    if (isText) writers.push(() => text);
    else if (kind === undefined) writers.push((scope) => textOf(evaluated(text, scope)));
    else writers.push(branch(kind, given, pieces));
  }
  return { write, end: undefined };
}

function branch(kind: string, given: string, pieces: ArrayIterator<[number, string]>): Writer {
  const body = block(pieces);
  const otherwise = body.end === "else" ? block(pieces) : { write: () => "", end: body.end };
  if (otherwise.end !== "end") throw unsupported(given);
  const pipeline = given.replace(/^\$at, \$\w+ := /, "");
  return (scope) => {
    const value = evaluated(pipeline, scope);
    if (!isTrue(value)) return otherwise.write(scope);
    if (kind !== "range") return body.write(kind === "with" ? { ...scope, dot: value } : scope);
    return vectorOf(value)
      .map((dot, position) => body.write({ ...scope, dot, position }))
      .join("");
  };
}

/** Empty texts, empty results and 0 are not true. */
function isTrue(value: Value): boolean {
  return isVector(value) ? value.length > 0 : Boolean(value);
}

/** A pipeline passes each result on as the last argument of the next command. */
function evaluated(pipeline: string, scope: Scope): Value {
  let result: Value | undefined;
  let command: string[] = [];
  for (const word of [...(pipeline.match(WORD) ?? []), "|"]) {
    if (word !== "|") {
      command.push(word);
      continue;
    }
    const [name = "", ...operands] = command;
    const compute = FUNCTIONS[name];
    const given = (compute === undefined ? command : operands).map((operand) => valueOf(operand, scope));
    if (result !== undefined) given.push(result);
    result = compute === undefined ? given[0] : compute(given, scope);
    if (compute === undefined && given.length !== 1) throw unsupported(pipeline);
    command = [];
  }
  return defined(result);
}

function valueOf(operand: string, { labels, value, dot, position }: Scope): Value {
  if (operand.startsWith('"')) return String(JSON.parse(operand));
  if (operand === "$value") return value;
  if (operand === "$at") return defined(position);
  if (operand === ".") return defined(dot);
  const [, source, label = ""] = /^(\$labels|\.Labels)\.(\w+)$/.exec(operand) ?? [];
  if (source !== undefined) return (source === "$labels" ? labels.get(label) : labelOf(sampleOf(dot), label)) ?? "";
  if (!/^-?\d+(\.\d+)?$/.test(operand)) throw unsupported(operand);
  return Number(operand);
}

type Compute = (given: readonly Value[], scope: Scope) => Value;

const FUNCTIONS: Readonly<Record<string, Compute>> = {
  humanizeDuration: ([value]) => humanizeDuration(numberOf(value)),
  humanizePercentage: ([value]) => humanizePercentage(numberOf(value)),
  printf: ([format, ...given]) => formatted(textOf(format), given),
  lt: ([a, b]) => numberOf(a) < numberOf(b),
  gt: ([a, b]) => numberOf(a) > numberOf(b),
  // Go's `or`: the first argument that is not empty.
  or: (given) => given.find(isTrue) ?? given.at(-1) ?? "",
  query: ([query], { samples }) => (samples === undefined ? [] : vectorOf(evaluate(parse(textOf(query)), samples))),
  first: ([samples]) => defined(vectorOf(samples)[0]),
  label: ([name, sample]) => labelOf(sampleOf(sample), textOf(name)) ?? "",
  sortByLabel([name, samples]) {
    const by = (sample: Sample): string => labelOf(sample, textOf(name)) ?? "";
    return vectorOf(samples).toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
  },
};

/** Go's `printf` with %q for texts, %f and %g for numbers. */
function formatted(format: string, given: readonly Value[]): string {
  const rest = [...given];
  return format.replaceAll(/%(?:\.(\d))?([a-z])/g, (whole, digits: string | undefined, verb: string) => {
    const value = rest.shift();
    if (verb === "q") return JSON.stringify(textOf(value));
    if (verb === "f") return fixed(numberOf(value), Number(digits ?? 6));
    if (verb === "g") return general(numberOf(value), Number(digits ?? Infinity));
    throw unsupported(`printf ${whole}`);
  });
}

function textOf(value: Value | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return general(value, Infinity);
  throw new RangeError("not a text");
}

function numberOf(value: Value | undefined): number {
  if (typeof value !== "number") throw new RangeError(`not a number: ${JSON.stringify(value)}`);
  return value;
}

function vectorOf(value: Value | undefined): readonly Sample[] {
  if (value === undefined || !isVector(value)) throw new RangeError("not the result of a query");
  return value;
}

function sampleOf(value: Value | undefined): Sample {
  if (typeof value !== "object" || !("series" in value)) throw new RangeError("not a sample");
  return value;
}

function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("a value that is not there");
  return value;
}

function isVector(value: Value): value is readonly Sample[] {
  return Array.isArray(value);
}

function unsupported(inside: string): RangeError {
  return new RangeError(`unsupported template: {{ ${inside} }}`);
}
