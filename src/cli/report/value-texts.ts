import { lasting } from "../../config/base/durations.ts";
import { percent } from "../../config/base/figures.ts";

/** Figures as people read them. `undefined` is "unknown". */

export const UNKNOWN = "unknown";
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** `8 h 48 min`, `3 d 4 h`, `40 s`; negative ones are "8 h below 0". @param seconds rounded to the smaller unit */
export function lengthText(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return UNKNOWN;
  if (seconds < 0) return `${lengthText(-seconds)} below 0`;
  if (seconds === 0) return "0 min";
  const unit = seconds < MINUTE ? 1 : seconds < DAY ? MINUTE : HOUR;
  return lasting(Math.round(seconds / unit) * unit);
}

export function shareText(ratio: number | undefined): string {
  return ratio === undefined ? UNKNOWN : percent(ratio);
}

export function avaxText(amount: number | undefined): string {
  if (amount === undefined) return UNKNOWN;
  const digits = amount !== 0 && Math.abs(amount) < 1 ? 4 : 2;
  return `${amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} AVAX`;
}

/** `2026-01-05 03:04`; what is no date is unknown. @param time Unix seconds, UTC */
export function timeText(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? UNKNOWN : date.toISOString().slice(0, 16).replace("T", " ");
}
