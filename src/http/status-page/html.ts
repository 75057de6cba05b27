/** Markup. `safe` makes it, and `trusted` of constants: other text cannot reach a page unescaped. */
export type Html = { readonly markup: string };

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// Control characters are not text; the directional ones could make a line read as something else.
const SPECIAL = /[&<>"'\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Template tag: what is put in is escaped, unless it is markup (or a list of it) already. Line breaks with indentation,
 * which are there for the reader of the source, shrink to line breaks.
 */
export function safe(
  strings: TemplateStringsArray,
  ...values: ReadonlyArray<Html | readonly Html[] | string | number>
): Html {
  const fixed = unindented(strings);
  let markup = fixed[0] ?? "";
  values.forEach((value, index) => {
    markup += render(value) + (fixed[index + 1] ?? "");
  });
  return { markup };
}

/** Markup that is a constant of this program. Never for anything that was read, asked or configured. */
export function trusted(markup: string): Html {
  return { markup };
}

/** Text as it may stand between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  // Most text has nothing to escape, and searching is several times cheaper than replacing.
  return text.search(SPECIAL) < 0 ? text : text.replace(SPECIAL, (character) => ESCAPES[character] ?? "\ufffd");
}

function render(value: Html | readonly Html[] | string | number): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return "markup" in value ? value.markup : value.map((each) => each.markup).join("");
}

/** A template is one object however often it is used, so the work is done once. */
const seen = new WeakMap<TemplateStringsArray, readonly string[]>();

function unindented(strings: TemplateStringsArray): readonly string[] {
  const known = seen.get(strings);
  if (known !== undefined) return known;
  const short = strings.map((part) => part.replace(/\n\s+/g, "\n"));
  seen.set(strings, short);
  return short;
}
