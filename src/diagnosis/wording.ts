import { span } from "../config/base/durations.ts";
import { wrapped } from "../config/base/wrapped.ts";
import { isRewarded } from "../topics/validators/staking-period.ts";

/** Columns of a mark. */
export const MARK = 7;

/**
 * A mark, then the text, wrapped with a hanging indent.
 * @param length visible length of `mark`, which can contain colour codes
 */
export function paragraph(mark: string, text: string, indent: string, length = mark.length): readonly string[] {
  const start = Math.max(length, mark.length < MARK && mark !== "-" ? MARK : 0) + 1;
  const margin = indent + " ".repeat(start);
  const [first = "", ...others] = wrapped(text, margin);
  return [`${indent}${mark}${first.slice(indent.length + length)}`, ...others];
}

/** Names in a list before the rest is counted. */
const LISTED = 10;

export function listed(names: readonly string[], most = LISTED): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}

export function amount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A value for people: whole numbers as they are, large ones without decimals, others with four significant digits. */
export function rounded(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(4)));
}

/** `2026-05-28 20:26:40 UTC`. @param time Unix seconds */
export function utcText(time: number): string {
  return `${new Date(time * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A downtime budget: `8 h 48 min`, or by how much the reward is lost. @param budget seconds */
export function leftText(budget: number): string {
  return isRewarded(budget) ? span(budget) : `lost by ${span(-budget)}`;
}

export type Paint = {
  bold: (text: string) => string;
  critical: (text: string) => string;
  warning: (text: string) => string;
  info: (text: string) => string;
  good: (text: string) => string;
};

/** Terminal colours; without `colours` the text is unchanged. */
export function paint(colours: boolean): Paint {
  const tone =
    (code: string) =>
    (text: string): string =>
      colours ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { bold: tone("1"), critical: tone("1;31"), warning: tone("33"), info: tone("36"), good: tone("32") };
}
