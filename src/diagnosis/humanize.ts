/** Numbers as the functions of Prometheus's templates format them. */

const SMALL = ["m", "u", "n", "p", "f", "a", "z", "y"];

/** Formats seconds: `1d 2h 3m 4s`; below a minute `12.5s`, below a second `12.5ms`. */
export function humanizeDuration(value: number): string {
  if (!Number.isFinite(value)) return general(value);
  const length = Math.floor(Math.abs(value));
  if (length < 60) {
    let [scaled, prefix] = [value, ""];
    for (const next of value === 0 ? [] : SMALL) {
      if (Math.abs(scaled) >= 1) break;
      scaled *= 1000;
      prefix = next;
    }
    return `${general(scaled)}${prefix}s`;
  }
  const parts = [
    [Math.floor(length / 86_400), "d"],
    [Math.floor(length / 3_600) % 24, "h"],
    [Math.floor(length / 60) % 60, "m"],
    [length % 60, "s"],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  const text = parts.slice(first).map(([amount, unit]) => `${amount}${unit}`);
  return (value < 0 ? "-" : "") + text.join(" ");
}

/** Formats a ratio as a percentage with four significant digits: `12.34%`. */
export function humanizePercentage(value: number): string {
  return `${general(value * 100)}%`;
}

/** A number as Go's `%.4g` and, with infinite digits, `%v` format it. */
export function general(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const isWhole = digits === Infinity;
  const exact = value.toExponential(isWhole ? undefined : digits - 1 + EXACT);
  const [mantissa = "", exponent = ""] = (isWhole ? exact : halfToEven(exact, value.toExponential(digits - 1))).split(
    "e",
  );
  const power = Number(exponent);
  // Where all digits are shown, Go writes an exponent from a million on.
  if (power >= -4 && power < (isWhole ? 6 : digits)) return String(Number(`${mantissa}e${exponent}`));
  const sign = power < 0 ? "-" : "+";
  return `${Number(mantissa)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** A number as Go's `%.1f` formats it. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return general(value);
  return halfToEven(value.toFixed(digits + EXACT), value.toFixed(digits));
}

/** Digits after which a number is no longer exactly half of the last one, or is. */
const EXACT = 30;
const HALF_AFTER_EVEN = /(?<=[02468])\.?50{29}(?=e|$)/;

/** JavaScript rounds an exact half up, Go to the even digit. @param exact the number with `EXACT` more digits */
function halfToEven(exact: string, rounded: string): string {
  return HALF_AFTER_EVEN.test(exact) ? exact.replace(HALF_AFTER_EVEN, "") : rounded;
}
