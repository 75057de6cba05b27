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

type Token = {
  readonly kind: "word" | "number" | "duration" | "string" | "symbol" | "end";
  /** The source text, of a string with its quotes. */
  readonly text: string;
};

const PATTERN =
  /\s*(?:(?<duration>(?:\d+(?:ms|[smhdwy]))+\b)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[a-zA-Z_:][\w:]*)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<symbol>==|!=|=~|!~|<=|>=|[-+*/<>=(){}[\],]))/y;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** What is not parsed yet, the next token last. */
type Tokens = Token[];

const END: Token = { kind: "end", text: "the end" };

/** @throws PromqlError for an invalid expression */
export function parse(text: string): Expression {
  const tokens = tokensOf(text).reverse();
  const expression = binary(tokens, 0);
  if (tokens.length > 0) throw new PromqlError(`${JSON.stringify(peek(tokens).text)} is not expected in ${text}`);
  return expression;
}

function peek(tokens: Tokens): Token {
  return tokens.at(-1) ?? END;
}

function next(tokens: Tokens): Token {
  return tokens.pop() ?? END;
}

/** Consumes the next token if it is this word or symbol. */
function take(tokens: Tokens, text: string): boolean {
  return peek(tokens).text === text && tokens.pop() !== undefined;
}

function expect(tokens: Tokens, text: string): void {
  if (!take(tokens, text)) throw new PromqlError(`expected ${text}, not ${JSON.stringify(peek(tokens).text)}`);
}

/** Parses operators of at least this precedence. All are left-associative. */
function binary(tokens: Tokens, least: number): Expression {
  let left = signed(tokens);
  for (;;) {
    const operator = peek(tokens).text;
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
  const include = many !== undefined && peek(tokens).text === "(" ? labels(tokens) : [];
  if (many !== undefined && SET_OPERATORS.has(operator)) throw new PromqlError(`${operator} takes no grouping`);
  return { matching, many, include };
}

function primary(tokens: Tokens): Expression {
  const { kind, text } = next(tokens);
  if (text === "(") {
    const inner = binary(tokens, 0);
    expect(tokens, ")");
    return inner;
  }
  if (kind === "number") return { kind: "number", value: Number(text) };
  if (kind !== "word") throw new PromqlError(`${JSON.stringify(text)} is not expected`);
  if (AGGREGATIONS.has(text)) return aggregate(tokens, text);
  if (take(tokens, "(")) return { kind: "call", name: text, parameters: list(tokens, ")", () => binary(tokens, 0)) };
  return { kind: "selector", name: text, matchers: take(tokens, "{") ? matchers(tokens) : [] };
}

/** Parses ranges and offsets after an expression. */
function withHistory(tokens: Tokens, of: Expression): Expression {
  if (take(tokens, "[")) {
    while (!take(tokens, "]")) if (next(tokens).kind === "end") throw new PromqlError("expected ]");
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
  return list(tokens, ")", () => next(tokens).text);
}

function matchers(tokens: Tokens): readonly Matcher[] {
  return list(tokens, "}", () => {
    const label = next(tokens).text;
    const operator = next(tokens).text;
    const value = next(tokens);
    if (!isMatching(operator) || value.kind !== "string")
      throw new PromqlError(`${label}${operator}${value.text} is not a matcher`);
    return { label, operator, value: unquoted(value.text) };
  });
}

/** Parses comma-separated items up to `end`. */
function list<T>(tokens: Tokens, end: string, item: () => T): T[] {
  const items: T[] = [];
  while (!take(tokens, end)) {
    items.push(item());
    if (!take(tokens, ",") && peek(tokens).text !== end) expect(tokens, end);
  }
  return items;
}

/** @throws PromqlError at an invalid token */
function tokensOf(text: string): Tokens {
  const tokens: Tokens = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end;) {
    PATTERN.lastIndex = at;
    const groups = PATTERN.exec(text)?.groups;
    const [kind, found] =
      Object.entries(groups ?? {}).find((each) => (each[1] as string | undefined) !== undefined) ?? [];
    if (kind === undefined || found === undefined)
      throw new PromqlError(`cannot read ${JSON.stringify(text.slice(at))}`);
    at = PATTERN.lastIndex;
    tokens.push({ kind: kind as Token["kind"], text: found });
  }
  return tokens;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_all, character: string) => ESCAPES[character] ?? character);
}
