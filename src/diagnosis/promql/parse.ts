import { isMatching, type Matcher } from "../../topics/define/selector.ts";
import { COMPARISONS, PromqlError, SET_OPERATORS, type Binary, type Expression, type Labelling } from "./expression.ts";
import { tokensOf, type Token } from "./tokens.ts";

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ["or", 1],
  ...["and", "unless"].map((word) => [word, 2] as const),
  ...[...COMPARISONS].map((symbol) => [symbol, 3] as const),
  ...["+", "-"].map((symbol) => [symbol, 4] as const),
  ...["*", "/", "%"].map((symbol) => [symbol, 5] as const),
  ["^", 6],
]);
/** The precedence of a sign's operand: `-a ^ b` is `-(a ^ b)`. */
const SIGN_PRECEDENCE = 6;

const AGGREGATIONS: ReadonlySet<string> = new Set(
  "avg bottomk count count_values group max min quantile stddev stdvar sum topk".split(" "),
);
const WITH_PARAMETER: ReadonlySet<string> = new Set(["bottomk", "count_values", "quantile", "topk"]);
const ALL: Labelling = { keep: false, labels: [] };
const NONE: Labelling = { keep: true, labels: [] };

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
  const expression = binary(reader, 1);
  const { kind, text: rest } = reader.peek();
  if (kind !== "end") throw new PromqlError(`${JSON.stringify(rest)} is not expected in ${text}`);
  return expression;
}

function readerOf(tokens: readonly Token[]): Reader {
  let at = 0;
  const peek = (): Token => tokens[at] ?? { kind: "end", text: "the end", at: 0 };
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

/** Parses operators of at least this precedence. All but `^` are left-associative. */
function binary(reader: Reader, least: number): Expression {
  let left = signed(reader);
  for (;;) {
    const { kind, text: operator } = reader.peek();
    const precedence = kind === "symbol" || kind === "word" ? PRECEDENCE.get(operator) : undefined;
    if (precedence === undefined || precedence < least) return left;
    reader.next();
    const how = matchingOf(reader, operator);
    const right = binary(reader, operator === "^" ? precedence : precedence + 1);
    left = { kind: "binary", operator, ...how, left, right };
  }
}

function signed(reader: Reader): Expression {
  if (reader.take("-")) return { kind: "negative", of: binary(reader, SIGN_PRECEDENCE) };
  if (reader.take("+")) return binary(reader, SIGN_PRECEDENCE);
  return withHistory(reader, primary(reader));
}

function matchingOf(reader: Reader, operator: string): Omit<Binary, "operator" | "left" | "right"> {
  const bool = reader.take("bool");
  const on = reader.take("on");
  const matching = on || reader.take("ignoring") ? { keep: on, labels: labels(reader) } : ALL;
  const many = reader.take("group_left") ? "left" : reader.take("group_right") ? "right" : undefined;
  const include = many !== undefined && reader.peek().text === "(" ? labels(reader) : [];
  if (many !== undefined && SET_OPERATORS.has(operator)) throw new PromqlError(`${operator} takes no grouping`);
  return { bool, matching, many, include };
}

function primary(reader: Reader): Expression {
  const { kind, text } = reader.next();
  if (kind === "symbol" && text === "(") {
    const inner = binary(reader, 1);
    reader.expect(")");
    return inner;
  }
  if (kind === "symbol" && text === "{") return { kind: "selector", name: "", matchers: matchers(reader) };
  if (kind === "number") return { kind: "number", value: Number(text) };
  if (kind !== "word") throw new PromqlError(`${JSON.stringify(text)} is not expected`);
  if (/^[+-]?inf$/i.test(text)) return { kind: "number", value: Infinity };
  if (/^nan$/i.test(text)) return { kind: "number", value: NaN };
  if (AGGREGATIONS.has(text)) return aggregate(reader, text);
  if (reader.take("(")) return { kind: "call", name: text, parameters: list(reader, ")", () => binary(reader, 1)) };
  return { kind: "selector", name: text, matchers: reader.take("{") ? matchers(reader) : [] };
}

/** Parses ranges, offsets and `@` after an expression. */
function withHistory(reader: Reader, of: Expression): Expression {
  if (reader.take("[")) {
    const inside: string[] = [];
    while (!reader.take("]")) {
      const { kind, text } = reader.next();
      if (kind === "end") throw new PromqlError("expected ]");
      inside.push(text);
    }
    return withHistory(reader, { kind: "history", of, how: `[${inside.join("")}]` });
  }
  if (!reader.take("offset") && !reader.take("@")) return of;
  const sign = reader.take("-") ? "-" : "";
  return withHistory(reader, { kind: "history", of, how: `${sign}${reader.next().text}` });
}

function aggregate(reader: Reader, operator: string): Expression {
  const before = grouping(reader);
  reader.expect("(");
  const given = list(reader, ")", () => binary(reader, 1));
  const after = before ?? grouping(reader) ?? NONE;
  const [parameter, of] = WITH_PARAMETER.has(operator) ? given : [undefined, given[0]];
  if (of === undefined) throw new PromqlError(`${operator} is given too little`);
  return { kind: "aggregate", operator, grouping: after, parameter, of };
}

function grouping(reader: Reader): Labelling | undefined {
  if (reader.take("by")) return { keep: true, labels: labels(reader) };
  return reader.take("without") ? { keep: false, labels: labels(reader) } : undefined;
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
function list<T>(reader: Reader, end: string, item: () => T): readonly T[] {
  const items: T[] = [];
  while (!reader.take(end)) {
    items.push(item());
    if (!reader.take(",") && reader.peek().text !== end) reader.expect(end);
  }
  return items;
}
