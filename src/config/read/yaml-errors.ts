import { visit, type Document, type ErrorCode } from "yaml";
import type { Findings, Place } from "../base/tree.ts";

/**
 * Descriptions of syntax errors. The parser's own messages quote parts of the file, and any part can be an unquoted password,
 * so only the error code is used.
 */
const SENTENCES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS:
    "an alias (*name) cannot have an anchor or tag of its own; put the text in quotes if it only looks like an alias",
  BAD_ALIAS: "invalid alias or anchor; put the text in quotes if it only looks like one",
  BAD_DIRECTIVE: "unknown %directive; put the text in quotes if it is a value",
  BAD_DQ_ESCAPE: "unknown backslash escape in double quotes; use single quotes for a text that contains backslashes",
  BAD_INDENT: "the indentation does not fit the lines above, or a bracket is not closed",
  BAD_PROP_ORDER: "anchors and tags must be directly before their value",
  BAD_SCALAR_START: "a value cannot start with this character unless it is put in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second colon on the line makes a mapping inside a mapping; put the value in quotes",
  BLOCK_IN_FLOW: "an indented block cannot be inside brackets",
  DUPLICATE_KEY: "this key appears twice",
  IMPOSSIBLE: "this is not valid YAML",
  KEY_OVER_1024_CHARS: "a key has more than 1024 characters; is a quote not closed?",
  MISSING_CHAR:
    "something is missing here: a closing quote or bracket, a comma, a colon, or the dash of a list item; or the indentation differs from the lines around it",
  MULTILINE_IMPLICIT_KEY:
    "a key must be on one line with its colon and a space after it; is the colon or the space missing?",
  MULTIPLE_ANCHORS: "a value can have one anchor only",
  MULTIPLE_DOCS: "the file must hold one YAML document; remove the --- line",
  MULTIPLE_TAGS: "a value can have one tag only",
  NON_STRING_KEY: "keys must be text",
  RESOURCE_EXHAUSTION: "the file is nested too deeply",
  TAB_AS_INDENT: "YAML is indented with spaces, not with tabs",
  TAG_RESOLVE_FAILED: "unknown tag (!name); put the text in quotes if it only looks like a tag",
  UNEXPECTED_TOKEN: "this is not expected here; is a quote, a bracket or a comma missing, or the indentation wrong?",
  BAD_COLLECTION_TYPE: "this tag does not fit its value",
};

export function yamlErrorSentence(code: ErrorCode): string {
  return `not valid YAML: ${SENTENCES[code]}`;
}

/** Errors that leave the surrounding values reliable. */
const HARMLESS: ReadonlySet<ErrorCode> = new Set(["BAD_DQ_ESCAPE", "TAG_RESOLVE_FAILED"]);

/** Adds the syntax errors of a document to the findings, and the line from which its values are unreliable. */
export function noteSyntax(document: Document.Parsed, place: (offset: number) => Place, findings: Findings): void {
  for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
    const open =
      code === "MISSING_CHAR" && message.startsWith("Missing closing") ? openQuote(document, pos[0]) : undefined;
    const at = place(open ?? pos[0]);
    const sentence =
      open === undefined ? yamlErrorSentence(code) : "not valid YAML: the quote that opens here is never closed";
    findings.problems.push({ ...at, message: sentence });
    if (!HARMLESS.has(code)) findings.broken.set(at.file, Math.min(at.line, findings.broken.get(at.file) ?? Infinity));
  }
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
