const DURATION = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const SECONDS = [604_800, 86_400, 3600, 60, 1, 0.001];

/** Parses a duration in Prometheus's notation (`500ms`, `15s`, `1h30m`; units w, d, h, m, s, ms) to seconds. `undefined` for other text. */
export function parseDuration(text: string): number | undefined {
  const match = text.length > 0 && text.length <= 40 ? DURATION.exec(text) : null;
  if (match === null) return undefined;
  const seconds = SECONDS.reduce((sum, unit, index) => sum + Number(match[index + 1] ?? 0) * unit, 0);
  return Number(seconds.toFixed(3));
}

const SIZE = /^(\d{1,15})([KMG]i?)?B?$/;
const BYTES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** Parses a size (`32MiB`, `10MB`, `4096`) to bytes. `undefined` for other text. */
export function parseSize(text: string): number | undefined {
  const match = SIZE.exec(text);
  if (match === null) return undefined;
  const bytes = Number(match[1]) * (match[2] === undefined ? 1 : (BYTES[match[2]] ?? NaN));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
