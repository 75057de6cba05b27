/**
 * What the hosted services say in the body of a refusal: `message` is one text or a list of them. `undefined` where the body
 * is no such thing, as a gateway's page is.
 */
export function errorWords(body: string): string | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    if (typeof message === "string") return message;
    const words = Array.isArray(message) ? message.filter((each): each is string => typeof each === "string") : [];
    return words.length === 0 ? undefined : words.join("; ");
  } catch {
    return undefined;
  }
}
