import { PromqlError } from "./expression.ts";

export type Token = {
  readonly kind: "word" | "number" | "duration" | "string" | "symbol" | "end";
  /** The source text; the value of a string without quotes and escapes. */
  readonly text: string;
  readonly at: number;
};

const PATTERN =
  /\s*(?:(?<duration>(?:\d+(?:ms|[smhdwy]))+\b)|(?<number>0x[0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[a-zA-Z_:][\w:]*)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<symbol>==|!=|=~|!~|<=|>=|[-+*/%^<>=(){}[\],@]))/y;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** @throws PromqlError at an invalid token */
export function tokensOf(text: string): readonly Token[] {
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
    tokens.push({ kind: kind as Token["kind"], text: kind === "string" ? unquoted(found) : found, at });
  }
  return [...tokens, { kind: "end", text: "the end", at: end }];
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_all, character: string) => ESCAPES[character] ?? character);
}
