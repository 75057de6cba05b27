import { isCb58 } from "./cb58.ts";

/** What must not be shown: secrets of requests, and tokens in URLs. Hosted nodes are reached at addresses such as `https://host/<token>`: whoever reads the address can use it. */

/** Shorter words are names. */
const SHORTEST = 20;
const SHORTEST_PART = 8;

/**
 * The segments of a URL's path that look like a token: 20 characters or more, with a part of letters and digits together that is
 * neither a node ID nor an ID of a chain or subnet, which are no secrets.
 */
export function tokensOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  return new URL(url).pathname.split("/").filter((segment) => segment.length >= SHORTEST && isMixed(segment));
}

function isMixed(segment: string): boolean {
  const isToken = (part: string) => part.length >= SHORTEST_PART && /[A-Za-z]/.test(part) && /\d/.test(part);
  return segment.split(/[^A-Za-z0-9]/).some((part) => isToken(part) && !isCb58(part, 20) && !isCb58(part, 32));
}

/** The URL with its credentials and tokens replaced, for people. */
export function maskedUrl(url: string): string {
  const named = url.replace(/\/\/[^/]*@/, "//<secret>@");
  return tokensOf(url).reduce((text, token) => text.replaceAll(token, "<secret>"), named);
}

/** Shorter values are not secrets, and replacing them would garble ordinary text. */
const SHORTEST_SECRET = 4;

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
  const secrets = [...new Set(variants)].filter(({ length }) => length >= SHORTEST_SECRET);
  if (secrets.length === 0) return undefined;
  // Longest first: one value can contain another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "<secret>"), text);
}
