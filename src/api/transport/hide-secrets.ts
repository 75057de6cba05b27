import { tokensOf } from "../url-tokens.ts";

/** Shorter values are not secrets, and replacing them would garble ordinary text. */
const SHORTEST = 4;

/**
 * A function that removes the values of request headers, and tokens in the path of the URL, from a text of the server; `undefined`
 * without secrets. A server can repeat a value unchanged, escaped for JSON or a URL, or without its scheme (`Bearer`).
 */
export function hideSecrets(
  headers: Readonly<Record<string, string>>,
  url: string,
): ((text: string) => string) | undefined {
  const bare = Object.values(headers).flatMap((value) => [value, value.replace(/^(?:Basic|Bearer) /, "")]);
  bare.push(...tokensOf(url));
  const variants = bare.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const secrets = [...new Set(variants)].filter(({ length }) => length >= SHORTEST);
  if (secrets.length === 0) return undefined;
  // Longest first: one value can contain another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "<secret>"), text);
}
