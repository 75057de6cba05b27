/**
 * The message in an error body of a hosted service: `message` is a text or a list of texts. `undefined` for any other body, such as
 * the page of a gateway.
 */
export function errorMessage(body: string): string | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    if (typeof message === "string") return message;
    const texts = Array.isArray(message) ? message.filter((each): each is string => typeof each === "string") : [];
    return texts.length === 0 ? undefined : texts.join("; ");
  } catch {
    return undefined;
  }
}
