/** Control and format characters but line breaks and tabs: they move a cursor, hide text or turn its direction. */
const SPECIAL = /[^\P{Cc}\n\t]|\p{Cf}|\p{Zl}|\p{Zp}/gu;
/** The same, but the colours of `paint`. */
const SPECIAL_OR_COLOUR = new RegExp(`\\u001b\\[(?:0|1|1;31|3[236])m|${SPECIAL.source}`, "gu");

/**
 * A text for a terminal. Answers of servers are in it, and an escape sequence of a stranger could rewrite what the operator reads: it is
 * shown as in JSON, `\u001b`, so that printed JSON stays the same value.
 * @param coloured whether it can have the colours of `paint`
 */
export function terminalText(text: string, coloured = false): string {
  return text.replace(coloured ? SPECIAL_OR_COLOUR : SPECIAL, (found) =>
    found.endsWith("m")
      ? found
      : found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
