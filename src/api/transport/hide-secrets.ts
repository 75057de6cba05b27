/** Shorter values are no secrets, and would hide half of a sentence. */
const SHORTEST = 4;

/**
 * What takes the values of request headers out of a server's words, or nothing where there is none: a server may repeat what
 * it was sent, as it is or as JSON writes it, and a scheme such as Bearer without what it stands before.
 */
export function hideSecrets(headers: Readonly<Record<string, string>>): ((words: string) => string) | undefined {
  const bare = Object.values(headers).flatMap((value) => [value, value.replace(/^(?:Basic|Bearer) /, "")]);
  const written = bare.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const secrets = [...new Set(written)].filter(({ length }) => length >= SHORTEST);
  if (secrets.length === 0) return undefined;
  // The longest first: one may hold another.
  secrets.sort((a, b) => b.length - a.length);
  return (words) => secrets.reduce((text, secret) => text.replaceAll(secret, "<secret>"), words);
}
