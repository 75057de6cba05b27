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
  /** The source text; the value of a string without quotes and escapes. */
  readonly text: string;
};

const PATTERN =
  /\s*(?:(?<duration>(?:\d+(?:ms|[smhdwy]))+\b)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[a-zA-Z_:][\w:]*)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<symbol>==|!=|=~|!~|<=|>=|[-+*/<>=(){}[\],]))/y;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

type Reader = {
  readonly peek: () => Token;
  readonly next: () => Token;
  /** Consumes the next token if it is this word or symbol. */
  readonly take: (text: string) => boolean;
  readonly expect: (text: string) => void;
};

/** @throws PromqlError for an invalid expression */
export function parse(text: string): Expression {
  const reader = readerOf(tokensOf(text));
  const expression = binary(reader, 0);
  const { kind, text: rest } = reader.peek();
  if (kind !== "end") throw new PromqlError(`${JSON.stringify(rest)} is not expected in ${text}`);
  return expression;
}

function readerOf(tokens: readonly Token[]): Reader {
  let at = 0;
  const peek = (): Token => tokens[at] ?? { kind: "end", text: "the end" };
  const take = (text: string): boolean => {
    const token = peek();
    if (token.text !== text || (token.kind !== "symbol" && token.kind !== "word")) return false;
    at += 1;
    return true;
  };
  return {
    peek,
    take,
    next() {
      const token = peek();
      at += 1;
      return token;
    },
    expect(text) {
      if (!take(text)) throw new PromqlError(`expected ${text}, not ${JSON.stringify(peek().text)}`);
    },
  };
}

/** Parses operators of at least this precedence. All are left-associative. */
function binary(reader: Reader, least: number): Expression {
  let left = signed(reader);
  for (;;) {
    const { kind, text: operator } = reader.peek();
    const precedence = kind === "symbol" || kind === "word" ? PRECEDENCE.get(operator) : undefined;
    if (precedence === undefined || precedence < least) return left;
    reader.next();
    const how = matchingOf(reader, operator);
    const right = binary(reader, precedence + 1);
    left = { kind: "binary", operator, ...how, left, right };
  }
}

function signed(reader: Reader): Expression {
  if (reader.take("-")) return { kind: "negative", of: signed(reader) };
  return withHistory(reader, primary(reader));
}

function matchingOf(reader: Reader, operator: string): Omit<Binary, "operator" | "left" | "right"> {
  const on = reader.take("on");
  const matching = on || reader.take("ignoring") ? { keep: on, labels: labels(reader) } : ALL;
  const many = reader.take("group_left") ? "left" : reader.take("group_right") ? "right" : undefined;
  const include = many !== undefined && reader.peek().text === "(" ? labels(reader) : [];
  if (many !== undefined && SET_OPERATORS.has(operator)) throw new PromqlError(`${operator} takes no grouping`);
  return { matching, many, include };
}

function primary(reader: Reader): Expression {
  const { kind, text } = reader.next();
  if (kind === "symbol" && text === "(") {
    const inner = binary(reader, 0);
    reader.expect(")");
    return inner;
  }
  if (kind === "number") return { kind: "number", value: Number(text) };
  if (kind !== "word") throw new PromqlError(`${JSON.stringify(text)} is not expected`);
  if (AGGREGATIONS.has(text)) return aggregate(reader, text);
  if (reader.take("(")) return { kind: "call", name: text, parameters: list(reader, ")", () => binary(reader, 0)) };
  return { kind: "selector", name: text, matchers: reader.take("{") ? matchers(reader) : [] };
}

/** Parses ranges and offsets after an expression. */
function withHistory(reader: Reader, of: Expression): Expression {
  if (reader.take("[")) {
    while (!reader.take("]")) if (reader.next().kind === "end") throw new PromqlError("expected ]");
  } else if (reader.take("offset")) reader.next();
  else return of;
  return withHistory(reader, { kind: "history", of });
}

function aggregate(reader: Reader, operator: string): Expression {
  const labelling = grouping(reader);
  reader.expect("(");
  const given = list(reader, ")", () => binary(reader, 0));
  const of = given.pop();
  if (of === undefined) throw new PromqlError(`${operator} is given too little`);
  return { kind: "aggregate", operator, grouping: labelling, parameter: given[0], of };
}

function grouping(reader: Reader): Labelling {
  if (reader.take("by")) return { keep: true, labels: labels(reader) };
  return reader.take("without") ? { keep: false, labels: labels(reader) } : NONE;
}

function labels(reader: Reader): readonly string[] {
  reader.expect("(");
  return list(reader, ")", () => reader.next().text);
}

function matchers(reader: Reader): readonly Matcher[] {
  return list(reader, "}", () => {
    const label = reader.next().text;
    const operator = reader.next().text;
    const value = reader.next();
    if (!isMatching(operator) || value.kind !== "string")
      throw new PromqlError(`${label}${operator}${value.text} is not a matcher`);
    return { label, operator, value: value.text };
  });
}

/** Parses comma-separated items up to `end`. */
function list<T>(reader: Reader, end: string, item: () => T): T[] {
  const items: T[] = [];
  while (!reader.take(end)) {
    items.push(item());
    if (!reader.take(",") && reader.peek().text !== end) reader.expect(end);
  }
  return items;
}

/** @throws PromqlError at an invalid token */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end;) {
    PATTERN.lastIndex = at;
    const groups = PATTERN.exec(text)?.groups;
    const [kind, found] =
      Object.entries(groups ?? {}).find((each) => (each[1] as string | undefined) !== undefined) ?? [];
    if (kind === undefined || found === undefined)
      throw new PromqlError(`cannot read ${JSON.stringify(text.slice(at))}`);
    at = PATTERN.lastIndex;
    tokens.push({ kind: kind as Token["kind"], text: kind === "string" ? unquoted(found) : found });
  }
  return [...tokens, { kind: "end", text: "the end" }];
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_all, character: string) => ESCAPES[character] ?? character);
}
