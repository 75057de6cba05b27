/** Markup. Only `safe`, and `trusted` for constants, create it, so that other text cannot reach a page unescaped. */
export type Html = { readonly markup: string };

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// Includes control characters and directional marks, which can disguise a text.
const SPECIAL = /[&<>"'\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Template tag that escapes its values, except markup and lists of it. Indentation of the template is removed.
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

/** Markup that is a constant of this program. Never use it for external or configured text. */
export function trusted(markup: string): Html {
  return { markup };
}

export const NOTHING: Html = { markup: "" };

/** Escapes text for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  // Most text needs no escaping, and searching is several times cheaper than replacing.
  return text.search(SPECIAL) < 0 ? text : text.replace(SPECIAL, (character) => ESCAPES[character] ?? "\ufffd");
}

function render(value: Html | readonly Html[] | string | number): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return "markup" in value ? value.markup : value.map((each) => each.markup).join("");
}

/** Cached by template: its strings are one object for all calls. */
const unindentedStrings = new WeakMap<TemplateStringsArray, readonly string[]>();

function unindented(strings: TemplateStringsArray): readonly string[] {
  const known = unindentedStrings.get(strings);
  if (known !== undefined) return known;
  const short = strings.map((part) => part.replace(/\n\s+/g, "\n"));
  unindentedStrings.set(strings, short);
  return short;
}
