import { fixed, general, humanizeDuration, humanizePercentage } from "./humanize.ts";
import type { Labels } from "./samples.ts";

/**
 * Expands the templates in the titles of alerts as Prometheus does, so that a finding has the same title as a notification. Titles use
 * labels and the value; what none uses is not supported.
 */

export type Filling = { readonly labels: Labels; readonly value: number };

type Value = string | number | boolean;
type Writer = (filling: Filling) => string;

/** Between two braces: a template that is split by it has text and actions in turn. */
const ACTION = /\{\{ ((?:"(?:[^"\\]|\\.)*"|[^"}])*?) \}\}/;
const WORD = /"(?:[^"\\]|\\.)*"|[^\s"]+/g;

/** @throws RangeError for what is not supported */
export function expandTemplate(template: string, filling: Filling): string {
  const { write, end } = block(template.split(ACTION).entries());
  if (end !== undefined) throw unsupported(end);
  return write(filling);
}

/** Reads up to `else`, `end` or the end of the template. */
function block(pieces: ArrayIterator<[number, string]>): { readonly write: Writer; readonly end: string | undefined } {
  const writers: Writer[] = [];
  const write: Writer = (filling) => writers.map((writer) => writer(filling)).join("");
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    const [index, text] = next.value;
    const isText = index % 2 === 0;
    if (isText && text.includes("{{")) throw unsupported(text);
    if (!isText && (text === "else" || text === "end")) return { write, end: text };
    const [, condition] = /^if (.*)$/s.exec(text) ?? [];
    if (isText) writers.push(() => text);
    else if (condition === undefined) writers.push((filling) => textOf(evaluated(text, filling)));
    else writers.push(branch(condition, pieces));
  }
  return { write, end: undefined };
}

function branch(condition: string, pieces: ArrayIterator<[number, string]>): Writer {
  const body = block(pieces);
  const otherwise = body.end === "else" ? block(pieces) : { write: () => "", end: body.end };
  if (otherwise.end !== "end") throw unsupported(condition);
  // Empty texts and 0 are not true.
  return (filling) => (Boolean(evaluated(condition, filling)) ? body : otherwise).write(filling);
}

/** A pipeline passes each result on as the last argument of the next command. */
function evaluated(pipeline: string, filling: Filling): Value {
  let result: Value | undefined;
  let command: string[] = [];
  for (const word of [...(pipeline.match(WORD) ?? []), "|"]) {
    if (word !== "|") {
      command.push(word);
      continue;
    }
    const [name = "", ...operands] = command;
    const compute = FUNCTIONS[name];
    const given = (compute === undefined ? command : operands).map((operand) => valueOf(operand, filling));
    if (result !== undefined) given.push(result);
    result = compute === undefined ? given[0] : compute(given);
    if (compute === undefined && given.length !== 1) throw unsupported(pipeline);
    command = [];
  }
  if (result === undefined) throw unsupported(pipeline);
  return result;
}

function valueOf(operand: string, { labels, value }: Filling): Value {
  if (operand.startsWith('"')) return String(JSON.parse(operand));
  if (operand === "$value") return value;
  if (/^-?\d+(\.\d+)?$/.test(operand)) return Number(operand);
  const [, label] = /^\$labels\.(\w+)$/.exec(operand) ?? [];
  if (label === undefined) throw unsupported(operand);
  return (Object.hasOwn(labels, label) ? labels[label] : undefined) ?? "";
}

const FUNCTIONS: Readonly<Record<string, (given: readonly Value[]) => Value>> = {
  humanizeDuration: ([value]) => humanizeDuration(numberOf(value)),
  humanizePercentage: ([value]) => humanizePercentage(numberOf(value)),
  printf: ([format, ...given]) => formatted(textOf(format), given),
  lt: ([a, b]) => numberOf(a) < numberOf(b),
  gt: ([a, b]) => numberOf(a) > numberOf(b),
  // Go's `or`: the first argument that is not empty.
  or: (given) => given.find(Boolean) ?? given.at(-1) ?? "",
};

/** Go's `printf` with %s for texts, %f and %g for numbers. */
function formatted(format: string, given: readonly Value[]): string {
  const rest = [...given];
  return format.replaceAll(/%(?:\.(\d))?([a-z])/g, (whole, digits: string | undefined, verb: string) => {
    const value = rest.shift();
    if (verb === "s") return textOf(value);
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

function unsupported(inside: string): RangeError {
  return new RangeError(`unsupported template: {{ ${inside} }}`);
}
