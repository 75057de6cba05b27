/** Times, durations and JSON in the format of Go. */

/** RFC 3339 in UTC, fraction without trailing zeros. @param ms whole Unix milliseconds @param nanos additional nanoseconds, below one million */
export function goTime(ms: number, nanos = 0): string {
  const second = Math.floor(ms / 1000);
  const fraction = String((ms - second * 1000) * 1_000_000 + Math.floor(nanos))
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${new Date(second * 1000).toISOString().slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** A duration, e.g. `1m3.5s`, `66.90725ms`, `312.5µs`, `0s`. */
export function goDuration(nanos: number): string {
  if (nanos === 0) return "0s";
  if (nanos < 1_000) return `${nanos}ns`;
  if (nanos < 1_000_000) return `${decimal(nanos, 3)}µs`;
  if (nanos < 1_000_000_000) return `${decimal(nanos, 6)}ms`;
  const minutes = Math.floor(nanos / 60e9);
  const seconds = `${decimal(nanos - minutes * 60e9, 9)}s`;
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

/** `value` / 10^places without trailing zeros. */
function decimal(value: number, places: number): string {
  const digits = String(Math.floor(value)).padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return `${digits.slice(0, -places)}${fraction === "" ? "" : `.${fraction}`}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/** JSON of a value; escapes `<`, `>` and `&` as Go does, and leaves out undefined fields. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return /[<>&]/.test(text) ? text.replace(/[<>&]/g, (character) => ESCAPES[character] ?? character) : text;
}

/** A percentage in the format of `json.Float64`: four decimals. */
export const percent = (ratio: number): string => (ratio * 100).toFixed(4);
