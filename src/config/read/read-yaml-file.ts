import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
} from "yaml";
import { MAX_FILE_BYTES, type Sources, unreadable } from "./sources.ts";
import type { Fault, ParsedFile } from "../base/config-finding.ts";
import { quoted, shownKey } from "../base/error-texts.ts";

/** Enough for thousands of nodes that share settings, but not for aliases of aliases that expand to millions of values. */
const MOST_ALIASES = 10_000;

/** The text of a file, or why it cannot be used. */
export type FileText = { readonly text: string } | { readonly fault: string };

export function readText(file: string, sources: Sources): FileText {
  try {
    const text = sources.readFile(file);
    return text.length > MAX_FILE_BYTES ? { fault: "it is larger than 10 MB" } : { text };
  } catch (error) {
    return { fault: unreadable(error) };
  }
}

/** Reads a YAML file. Never throws: a file that cannot be read has no value, and says why. */
export function readYamlFile(file: string, sources: Sources): ParsedFile {
  const read = readText(file, sources);
  return "text" in read
    ? parseYaml(file, read.text, sources.env)
    : withoutValue(file, `the file cannot be read: ${read.fault}`);
}

function withoutValue(file: string, message: string): ParsedFile {
  const lines = new LineCounter();
  const syntax = [{ at: null, message }];
  return { file, value: undefined, root: null, targets: new Map(), lines, brokenFrom: 1, syntax, refused: [] };
}

/** Parses YAML to plain values with `${ENV}` expanded. Never throws. */
export function parseYaml(file: string, text: string, env: Sources["env"]): ParsedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  });
  const syntax = syntaxErrors(document);
  const breaking = syntax.filter(({ code }) => !HARMLESS.has(code));
  const brokenFrom = Math.min(Infinity, ...breaking.map(({ at }) => Math.max(lines.linePos(at).line, 1)));
  try {
    const found = checked(document, env);
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return { file, value, root: document.contents, lines, brokenFrom, syntax, ...found };
  } catch {
    // Of the library's own messages some quote the file.
    const empty = withoutValue(file, "not valid YAML: it is nested too deeply, or has too many aliases of aliases");
    return { ...empty, lines, syntax: [...syntax, ...empty.syntax] };
  }
}

/** Expands variables in a document and finds what its aliases stand for. What is refused is replaced by something empty. */
function checked(document: Document.Parsed, env: Sources["env"]): Pick<ParsedFile, "targets" | "refused"> {
  const targets = new Map<Alias, Node>();
  const refused: Fault[] = [];
  const anchors = new Map<string, Node>();
  const note = (node: Node & { anchor?: string }): void => void (node.anchor && anchors.set(node.anchor, node));
  const isMapping = (node: unknown): boolean => isMap(isAlias(node) ? anchors.get(node.source) : node);
  const refuse = (at: Node, message: string): void => void refused.push({ at, message });
  visit(document, {
    Map(_, map) {
      note(map);
      const names = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : "";
        if (isScalar(key) && names.has(name)) refuse(key, `duplicate key ${quoted(shownKey(name))}`);
        if (name === "__proto__" && isScalar(key)) refuse(key, 'the key "__proto__" cannot be used; take another name');
        names.add(name);
      }
      // A schema leaves it out of a mapping in silence.
      map.items = map.items.filter(({ key }) => !isScalar(key) || key.value !== "__proto__");
    },
    Seq: (_, list) => note(list),
    Pair(_, pair) {
      if (!isScalar(pair.key) || pair.key.source !== "<<") return;
      if ((isSeq(pair.value) ? pair.value.items : [pair.value]).every(isMapping)) return;
      refuse(pair.key, "<< must be followed by an alias of a mapping, or a list of them");
      pair.value = new YAMLMap();
    },
    Alias(_, alias, ancestors) {
      const target = anchors.get(alias.source);
      if (target !== undefined && !ancestors.includes(target)) return void targets.set(alias, target);
      const empty = Object.assign(new Scalar(null), { range: alias.range ?? null });
      refuse(empty, target === undefined ? NO_ANCHOR : "circular alias: it is inside the value that it repeats");
      return empty;
    },
    Scalar(key, scalar) {
      note(scalar);
      if (typeof scalar.value !== "string" || key === "key") return;
      const { text, faults } = expandEnvironment(scalar.value, env);
      for (const fault of faults) refuse(scalar, fault);
      // A text without its variable would be compared with others.
      scalar.value = faults.length > 0 ? null : text;
    },
  });
  return { targets, refused };
}

const NO_ANCHOR =
  "this alias (*name) has no anchor (&name) before it; put the text in quotes if it only looks like an alias";

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;

/** Replaces `${NAME}` with the variable's value and `$${` with `${`. Values of variables are not expanded again. */
export function expandEnvironment(
  source: string,
  env: Sources["env"],
): { readonly text: string; readonly faults: readonly string[] } {
  const faults = new Set<string>();
  const text = source.replace(REFERENCE, (found: string, name: string | undefined) => {
    if (found === "$${") return "${";
    const value = name === undefined ? undefined : env[name];
    if (name === undefined) faults.add("write a variable as ${NAME} with letters, digits and _, and a plain ${ as $${");
    else if (value === undefined)
      faults.add(`the environment variable ${name.slice(0, 80)} is not set; set it, or write $\${ for a plain \${`);
    return value ?? "";
  });
  return { text, faults: [...faults] };
}

/**
 * Descriptions of the usual syntax errors. The parser's own messages quote parts of the file, and any part can be an unquoted
 * password, so only the error code is used.
 */
const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_DQ_ESCAPE: "unknown backslash escape in double quotes; use single quotes for a text that contains backslashes",
  BAD_INDENT: "the indentation does not fit the lines above, or a bracket is not closed",
  BLOCK_AS_IMPLICIT_KEY: "a second colon on the line makes a mapping inside a mapping; put the value in quotes",
  MISSING_CHAR: "a closing quote or bracket, a comma, a colon or a dash is missing, or the indentation is wrong",
  MULTILINE_IMPLICIT_KEY:
    "a key must be on one line with its colon and a space after it; is the colon or the space missing?",
  MULTIPLE_DOCS: "the file must hold one YAML document; remove the --- line",
  RESOURCE_EXHAUSTION: "the file is nested too deeply",
  TAB_AS_INDENT: "YAML is indented with spaces, not with tabs",
  UNEXPECTED_TOKEN: "this is not expected here; is a quote, a bracket or a comma missing, or the indentation wrong?",
};
const OTHER = "a character here has a meaning of its own in YAML; put the text in quotes";

/** Errors that leave the surrounding values reliable. */
const HARMLESS: ReadonlySet<ErrorCode> = new Set(["BAD_DQ_ESCAPE", "TAG_RESOLVE_FAILED"]);

/** The syntax errors of a document in our words. */
function syntaxErrors(document: Document.Parsed) {
  return [...document.errors, ...document.warnings].map(({ code, pos: [start], message }) => {
    const isQuote = code === "MISSING_CHAR" && message.startsWith("Missing closing");
    const open = isQuote ? openQuote(document, start) : undefined;
    const sentence = open === undefined ? (SENTENCES[code] ?? OTHER) : "the quote that opens here is never closed";
    return { at: open ?? start, code, message: `not valid YAML: ${sentence}` };
  });
}

/** The start of the quoted text that reaches `end`: the parser reports a missing quote only at the end of the file. */
function openQuote(document: Document.Parsed, end: number): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_, { type, range }) => {
      const quoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
      if (quoted && range && range[0] < end && range[2] >= end) start = range[0];
    },
  });
  return start;
}
