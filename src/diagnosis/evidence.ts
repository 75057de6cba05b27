import { formatLabels } from "./samples.ts";
import type { Reading } from "../exposition/sample.ts";
import { span } from "../config/base/durations.ts";
import { humanizeDuration, humanizePercentage } from "./humanize.ts";
import { utcText } from "./wording.ts";

/** The series that meets a condition, with its value. */
export type Evidence = {
  /** As on /metrics. */
  readonly series: string;
  readonly value: number;
  /** What the node reports of it, else the value as a time, duration or percentage, depending on the unit. */
  readonly words: string | undefined;
};

/** @param said what the node itself reports of it */
export function evidenceOf(sample: Reading, now: number, said?: string): Evidence {
  const labels = formatLabels(sample);
  return {
    series: labels === "" ? sample.name : `${sample.name}{${labels}}`,
    value: sample.value,
    words: said === undefined ? inWords(sample, now) : `"${said}"`,
  };
}

/** Below ten seconds a duration is one of requests, which has fractions. */
function lengthText(value: number): string {
  const length = Math.abs(value);
  const text = length < 10 || !Number.isFinite(length) ? humanizeDuration(length) : span(length);
  return value < 0 ? `${text} below 0` : text;
}

function inWords({ name, value }: Reading, now: number): string | undefined {
  if (name.endsWith("_timestamp_seconds") && Math.abs(value) < 8e12) {
    const distance = span(Math.round(Math.abs(now - value)));
    return `${utcText(value)}, ${value <= now ? `${distance} ago` : `in ${distance}`}`;
  }
  if (name.endsWith("_seconds")) return lengthText(value);
  return name.endsWith("_ratio") ? humanizePercentage(value) : undefined;
}
