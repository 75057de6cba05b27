/** Numbers as the functions of Prometheus's templates format them. */

const LARGE = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"] as const;
const SMALL = ["", "m", "u", "n", "p", "f", "a", "z", "y"] as const;

/** Four significant digits with an SI prefix: `1.234k`. */
export function humanize(value: number): string {
  const [scaled, prefix] = scale(value);
  return `${general(scaled)}${prefix}`;
}

/** Formats seconds: `1d 2h 3m 4s`; below a minute `12.5s`, below a second `12.5ms`. */
export function humanizeDuration(value: number): string {
  if (!Number.isFinite(value)) return general(value);
  const [scaled, prefix] = scale(value);
  const length = Math.floor(Math.abs(value));
  if (length < 1) return value === 0 ? "0s" : `${general(scaled)}${prefix}s`;
  if (length < 60) return `${general(value)}s`;
  const parts = [
    [Math.floor(length / 86_400), "d"],
    [Math.floor(length / 3_600) % 24, "h"],
    [Math.floor(length / 60) % 60, "m"],
    [length % 60, "s"],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  return (
    (value < 0 ? "-" : "") +
    parts
      .slice(first)
      .map(([amount, unit]) => `${amount}${unit}`)
      .join(" ")
  );
}

/** Formats a ratio as a percentage with four significant digits: `12.34%`. */
export function humanizePercentage(value: number): string {
  return `${general(value * 100)}%`;
}

function scale(value: number): readonly [number, string] {
  if (value === 0 || !Number.isFinite(value)) return [value, ""];
  const [prefixes, factor] = Math.abs(value) >= 1 ? [LARGE, 1e-3] : [SMALL, 1e3];
  let power = 0;
  let scaled = value;
  const done = () => (factor < 1 ? Math.abs(scaled) < 1000 : Math.abs(scaled) >= 1);
  while (!done() && power < prefixes.length - 1) {
    scaled *= factor;
    power += 1;
  }
  return [scaled, prefixes[power] ?? ""];
}

/** A number as Go's `%.4g` and, with infinite digits, `%v` format it. */
export function general(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return "0";
  const written = digits === Infinity ? value.toExponential() : exponential(value, digits - 1);
  const [mantissa = "", exponent = ""] = written.split("e");
  const power = Number(exponent);
  // Where all digits are shown, Go writes an exponent from a million on.
  if (power >= -4 && power < (digits === Infinity ? 6 : digits)) return String(Number(written));
  const sign = power < 0 ? "-" : "+";
  return `${Number(mantissa)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** A number as Go's `%.1f` formats it. */
export function fixed(value: number, digits: number): string {
  return halfToEven(value.toFixed(digits), value.toFixed(digits + EXACT));
}

function exponential(value: number, digits: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(digits + EXACT).split("e");
  const rounded = value.toExponential(digits);
  const even = halfToEven("", mantissa);
  return even === "" ? rounded : `${even}e${exponent}`;
}

/** Digits after which a number is no longer exactly half of the last one, or is. */
const EXACT = 30;

/** JavaScript rounds an exact half up, Go to the even digit. @param exact the number with `EXACT` more digits */
function halfToEven(rounded: string, exact: string): string {
  const [head, tail] = [exact.slice(0, -EXACT), exact.slice(-EXACT)];
  const isHalf = tail.startsWith("5") && /^0*$/.test(tail.slice(1));
  return isHalf && Number(head.replace(".", "").at(-1)) % 2 === 0 ? head.replace(/\.$/, "") : rounded;
}
