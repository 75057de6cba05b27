/** Shorter values are no secrets, and replacing them would garble ordinary words. */
const SHORTEST = 4;

/**
 * A function that removes the values of request headers from a server's text; `undefined` where there is nothing to hide. A
 * server may repeat a value as it was sent, escaped for JSON or a URL, or without its scheme (`Bearer`).
 */
export function hideSecrets(headers: Readonly<Record<string, string>>): ((words: string) => string) | undefined {
  const bare = Object.values(headers).flatMap((value) => [value, value.replace(/^(?:Basic|Bearer) /, "")]);
  const written = bare.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const secrets = [...new Set(written)].filter(({ length }) => length >= SHORTEST);
  if (secrets.length === 0) return undefined;
  // The longest first: one value may contain another.
  secrets.sort((a, b) => b.length - a.length);
  return (words) => secrets.reduce((text, secret) => text.replaceAll(secret, "<secret>"), words);
}
