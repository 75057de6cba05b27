/**
 * The message in the body with which a hosted service refuses a request: `message` is one text or a list of texts. `undefined`
 * for any other body, such as a gateway's page.
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
