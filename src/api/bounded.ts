/** Untrusted text on one line without characters that have no shape, short enough for a label, a log line or a table cell. */
export function bounded(text = "", longest = 160): string {
  const line = text.slice(0, 16 * longest).replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ");
  const characters = [...line.trim()];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line.trim();
}
