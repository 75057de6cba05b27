import { visit, type Document, type ErrorCode } from "yaml";
import type { Findings, Source } from "../base/tree.ts";

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

/** Adds the syntax errors of a document to the findings, and the line from which its values are unreliable. */
export function noteSyntax(document: Document.Parsed, placeOf: Source["placeOf"], { syntax, broken }: Findings): void {
  for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
    const isQuote = code === "MISSING_CHAR" && message.startsWith("Missing closing");
    const open = isQuote ? openQuote(document, pos[0]) : undefined;
    const at = placeOf(open ?? pos[0]);
    const sentence = open === undefined ? (SENTENCES[code] ?? OTHER) : "the quote that opens here is never closed";
    syntax.push({ ...at, message: `not valid YAML: ${sentence}` });
    if (!HARMLESS.has(code)) broken.set(at.file, Math.min(at.line, broken.get(at.file) ?? Infinity));
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
