import type { Series } from "./exposition.ts";
import { answer, type Recording } from "./recording.ts";

/**
 * Arithmetic of the tests' own: decimal digits are moved as text, so that each figure is the double next to the decimal in
 * the recording. Nothing here comes from src/.
 */

/** Shifts the decimal point of a number written in decimal. */
export function scaled(decimal: string | number, exponent: number): number {
  return Number(`${decimal}e${exponent}`);
}

export const ratio = (percent: string | number): number => scaled(percent, -2);
export const avax = (nanoAvax: string | bigint): number => scaled(String(nanoAvax), -9);

/** Unix seconds of a UTC time as Go prints it, to the microsecond; `undefined` for its zero time. */
export function unixSeconds(time: string): number | undefined {
  if (time.startsWith("0001-") || time.startsWith("1970-01-01T00:00:00Z")) return undefined;
  const [whole = "", fraction = ""] = time.replace("Z", "").split(".");
  return Number(`${Date.parse(`${whole}Z`) / 1000}.${fraction.padEnd(6, "0").slice(0, 6)}`);
}

/** Seconds of a Go duration of one unit (`0s`, `621.538831ms`), which is all that the recordings have. */
export function seconds(duration: string): number {
  const [, digits = "", unit = ""] = /^([\d.]+)(ns|µs|ms|s)$/.exec(duration) ?? [];
  const exponent = { ns: -9, µs: -6, ms: -3, s: 0 }[unit];
  if (exponent === undefined) throw new Error(`unexpected duration ${duration}`);
  return scaled(digits, exponent);
}

/** Body of an answer as JSON. */
export function json<T>(recording: Recording, name: string): T {
  return JSON.parse(answer(recording, name).response.body) as T;
}

/** `result` of a JSON-RPC answer; `undefined` when it is an error or no JSON at all. */
export function result<T>(recording: Recording, name: string): T | undefined {
  const { body } = answer(recording, name).response;
  return body.startsWith("{") ? (JSON.parse(body) as { result?: T }).result : undefined;
}

/** `result` of an answer that must have one. */
export function given<T>(recording: Recording, name: string): T {
  const found = result<T>(recording, name);
  if (found === undefined) throw new Error(`${recording.name}: ${name} has no result`);
  return found;
}

type Labels = Readonly<Record<string, string>>;
type Value = number | boolean | undefined;

/** Collects expected series; what is `undefined` is expected to be absent. */
export type Expected = {
  readonly add: (name: string, labels: Labels, value: Value) => void;
  /** Series without further labels, by name. */
  readonly own: (values: Readonly<Record<string, Value>>) => void;
  /** Series with the same labels, by name. */
  readonly all: (labels: Labels, values: Readonly<Record<string, Value>>) => void;
  readonly series: () => readonly Series[];
};

export function expecting(base: Labels): Expected {
  const list: Series[] = [];
  const add: Expected["add"] = (name, labels, value) => {
    if (value !== undefined) list.push({ name, labels: { ...base, ...labels }, value: Number(value) });
  };
  const all: Expected["all"] = (labels, values) => {
    for (const [name, value] of Object.entries(values)) add(name, labels, value);
  };
  return { add, all, own: (values) => all({}, values), series: () => list };
}

/** What is read from a value; `undefined` where there is none. */
export const known = <A, B>(value: A | undefined, read: (value: A) => B): B | undefined =>
  value === undefined ? undefined : read(value);

/** Counts or sums by a text. */
export function tally(entries: Iterable<readonly [string, number]>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, value] of entries) sums.set(key, (sums.get(key) ?? 0) + value);
  return sums;
}

export const UPTIME_RANGES = ["0-0.5", "0.5-0.8", "0.8-0.9", "0.9-0.95", "0.95-0.99", "0.99-1"] as const;

/** The range that an uptime in percent falls into. */
export function uptimeRange(percent: string): (typeof UPTIME_RANGES)[number] {
  const value = Number(percent);
  if (value >= 99) return "0.99-1";
  if (value >= 95) return "0.95-0.99";
  if (value >= 90) return "0.9-0.95";
  if (value >= 80) return "0.8-0.9";
  return value >= 50 ? "0.5-0.8" : "0-0.5";
}
