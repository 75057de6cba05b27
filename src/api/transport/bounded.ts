/** Untrusted text on one line without characters that have no shape, short enough for a log line or a table cell. */
export function bounded(text: string, length = 160): string {
  const line = text
    .slice(0, 16 * length)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}
