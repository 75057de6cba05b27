import { isMatching, type Matcher } from "../../topics/define/selector.ts";
import { PromqlError, SET_OPERATORS, type Binary, type Expression, type Labelling } from "./expression.ts";

/** The operators of one line bind equally, and closer than those above. */
const LEVELS = ["or", "and unless", "== != < <= > >=", "+ -", "* /"];
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  LEVELS.flatMap((operators, level) => operators.split(" ").map((operator) => [operator, level] as const)),
);

const AGGREGATIONS: ReadonlySet<string> = new Set("avg count group max min quantile sum topk".split(" "));
const ALL: Labelling = { keep: false, labels: [] };
const NONE: Labelling = { keep: true, labels: [] };

/** Numbers and durations, words, strings, symbols. */
const TOKEN =
  /\s*(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[\da-z]*|[a-zA-Z_:][\w:]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[=!]~|[=!<>]=|[-+*/<>=(){}[\],])/gy;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** What is not parsed yet, the next token last. Strings have their quotes; after the last token comes an empty one. */
type Tokens = string[];

/** @throws PromqlError for an invalid expression */
export function parse(text: string): Expression {
  const tokens = tokensOf(text).reverse();
  const expression = binary(tokens, 0);
  if (tokens.length > 0) throw new PromqlError(`${JSON.stringify(peek(tokens))} is not expected in ${text}`);
  return expression;
}

function peek(tokens: Tokens): string {
  return tokens.at(-1) ?? "";
}

function next(tokens: Tokens): string {
  return tokens.pop() ?? "";
}

/** Consumes the next token if it is this word or symbol. */
function take(tokens: Tokens, text: string): boolean {
  return peek(tokens) === text && tokens.pop() !== undefined;
}

function expect(tokens: Tokens, text: string): void {
  if (!take(tokens, text)) throw new PromqlError(`expected ${text}, not ${JSON.stringify(peek(tokens))}`);
}

/** Parses operators of at least this precedence. All are left-associative. */
function binary(tokens: Tokens, least: number): Expression {
  let left = signed(tokens);
  for (;;) {
    const operator = peek(tokens);
    const precedence = PRECEDENCE.get(operator);
    if (precedence === undefined || precedence < least) return left;
    next(tokens);
    const how = matchingOf(tokens, operator);
    const right = binary(tokens, precedence + 1);
    left = { kind: "binary", operator, ...how, left, right };
  }
}

function signed(tokens: Tokens): Expression {
  if (take(tokens, "-")) return { kind: "negative", of: signed(tokens) };
  return withHistory(tokens, primary(tokens));
}

function matchingOf(tokens: Tokens, operator: string): Omit<Binary, "operator" | "left" | "right"> {
  const on = take(tokens, "on");
  const matching = on || take(tokens, "ignoring") ? { keep: on, labels: labels(tokens) } : ALL;
  const many = take(tokens, "group_left") ? "left" : take(tokens, "group_right") ? "right" : undefined;
  const include = many !== undefined && peek(tokens) === "(" ? labels(tokens) : [];
  if (many !== undefined && SET_OPERATORS.has(operator)) throw new PromqlError(`${operator} takes no grouping`);
  return { matching, many, include };
}

function primary(tokens: Tokens): Expression {
  const text = next(tokens);
  if (text === "(") {
    const inner = binary(tokens, 0);
    expect(tokens, ")");
    return inner;
  }
  if (text === "{") {
    const all = matchers(tokens);
    return { kind: "selector", name: all.find(({ label }) => label === "__name__")?.value ?? "", matchers: all };
  }
  if (/^[\d.]/.test(text)) return { kind: "number", value: Number(text) };
  if (!/^[a-zA-Z_:]/.test(text)) throw new PromqlError(`${JSON.stringify(text)} is not expected`);
  if (AGGREGATIONS.has(text)) return aggregate(tokens, text);
  if (take(tokens, "(")) return { kind: "call", name: text, parameters: list(tokens, ")", () => binary(tokens, 0)) };
  return { kind: "selector", name: text, matchers: take(tokens, "{") ? matchers(tokens) : [] };
}

/** Parses ranges and offsets after an expression. */
function withHistory(tokens: Tokens, of: Expression): Expression {
  if (take(tokens, "[")) {
    while (!take(tokens, "]")) if (next(tokens) === "") throw new PromqlError("expected ]");
  } else if (take(tokens, "offset")) next(tokens);
  else return of;
  return withHistory(tokens, { kind: "history", of });
}

function aggregate(tokens: Tokens, operator: string): Expression {
  const labelling = grouping(tokens);
  expect(tokens, "(");
  const given = list(tokens, ")", () => binary(tokens, 0));
  const of = given.pop();
  if (of === undefined) throw new PromqlError(`${operator} is given too little`);
  return { kind: "aggregate", operator, grouping: labelling, parameter: given[0], of };
}

function grouping(tokens: Tokens): Labelling {
  if (take(tokens, "by")) return { keep: true, labels: labels(tokens) };
  return take(tokens, "without") ? { keep: false, labels: labels(tokens) } : NONE;
}

function labels(tokens: Tokens): readonly string[] {
  expect(tokens, "(");
  return list(tokens, ")", () => next(tokens));
}

function matchers(tokens: Tokens): readonly Matcher[] {
  return list(tokens, "}", () => {
    const label = next(tokens);
    const operator = next(tokens);
    const value = next(tokens);
    if (!isMatching(operator) || !/^["']/.test(value))
      throw new PromqlError(`${label}${operator}${value} is not a matcher`);
    return { label, operator, value: unquoted(value) };
  });
}

/** Parses comma-separated items up to `end`. */
function list<T>(tokens: Tokens, end: string, item: () => T): T[] {
  const items: T[] = [];
  while (!take(tokens, end)) {
    items.push(item());
    if (!take(tokens, ",") && peek(tokens) !== end) expect(tokens, end);
  }
  return items;
}

/** @throws PromqlError at an invalid token */
function tokensOf(text: string): Tokens {
  const tokens = text.match(TOKEN) ?? [];
  const rest = text.slice(tokens.join("").length).trim();
  if (rest !== "") throw new PromqlError(`cannot read ${JSON.stringify(rest)}`);
  return tokens.map((token) => token.trimStart());
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_all, character: string) => ESCAPES[character] ?? character);
}
