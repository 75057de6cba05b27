import { percentOf, type AlertLimit, type LimitUnit } from "../../config/base/alert-limit.ts";

/** A limit of alerts that a user may change. */
export type Threshold = {
  readonly limit: AlertLimit;
  /** When the alert fires, as the end of "fires …". */
  readonly about: string;
};

export function threshold(
  name: string,
  unit: LimitUnit,
  about: string,
  limits: Omit<AlertLimit, "name" | "unit">,
): Threshold {
  return { limit: { name, unit, ...limits }, about };
}

/** A value for people: "15 %", "4 days", "5". */
export function inWords(value: number, unit: LimitUnit): string {
  if (unit === "share") return `${percentOf(value)} %`;
  return unit === "seconds" ? durationInWords(value) : String(value);
}

const SPANS = [
  ["day", 86_400, 2],
  ["hour", 3600, 2],
  ["minute", 60, 1],
] as const;

/** Seconds in the largest unit that needs no fraction; one day is "24 hours", and one hour "60 minutes". */
export function durationInWords(seconds: number): string {
  const [word, length] = SPANS.find(([, span, least]) => seconds % span === 0 && seconds / span >= least) ?? [
    "second",
    1,
  ];
  const count = seconds / length;
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
