/**
 * Expands the templates in the texts of alerts. Labels, values and the supported functions are formatted as Prometheus formats
 * them, so that a finding has the same text as a notification.
 */

type Filling = { readonly labels: ReadonlyMap<string, string>; readonly value: number };

const FUNCTIONS: Readonly<Record<string, (value: number) => string>> = {
  humanize,
  humanizeDuration,
  humanizePercentage,
};

/** @throws RangeError for an unsupported function */
export function expand(template: string, { labels, value }: Filling): string {
  return template.replaceAll(/\{\{ (.*?) \}\}/g, (_all, inside: string) => {
    const [, label, how] = /^(?:\$labels\.(\w+)|\$value(?: \| (\w+))?)$/.exec(inside) ?? [];
    if (label !== undefined) return labels.get(label) ?? "";
    if (inside === "$value") return general(value, Infinity);
    const [, digits, form] = /^\$value \| printf "%\.(\d)([fg])"$/.exec(inside) ?? [];
    if (form === "g" || (form === "f" && !Number.isFinite(value))) return general(value, Number(digits));
    if (form === "f") return value.toFixed(Number(digits));
    const write = FUNCTIONS[how ?? ""];
    if (write === undefined) throw new RangeError(`unsupported template: {{ ${inside} }}`);
    return write(value);
  });
}

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

/** A number as Go's `%.4g` and `%v` format it. */
function general(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return "0";
  const written = digits === Infinity ? value.toExponential() : value.toExponential(digits - 1);
  const [mantissa = "", exponent = ""] = written.split("e");
  const power = Number(exponent);
  if (power >= -4 && power < Math.min(digits, 21)) return String(Number(written));
  const sign = power < 0 ? "-" : "+";
  return `${Number(mantissa)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}
