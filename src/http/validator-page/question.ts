import { parseDuration } from "../../config/base/units.ts";

/** Durations of the outages that every page answers, in seconds. */
const USUAL_OUTAGES = [600, 3600, 86_400] as const;

/** Longest outage that is answered: no staking period is longer. Seconds. */
const LONGEST = 10 * 365 * 86_400;

/** The duration of a parameter such as `?offline=`. */
export type Question =
  | { readonly kind: "none" }
  | { readonly kind: "asked"; readonly seconds: number; readonly text: string }
  | { readonly kind: "malformed"; readonly text: string; readonly why: string };

export function readQuestion(query: URLSearchParams, parameter = "offline"): Question {
  const text = (query.get(parameter) ?? "").trim().slice(0, 40);
  if (text === "") return { kind: "none" };
  // People write "6 h" and "1 day" too.
  const seconds = parseDuration(text.toLowerCase().replace(/\s+/g, ""));
  return seconds === undefined || seconds <= 0 || seconds > LONGEST
    ? { kind: "malformed", text, why: `"${text}" is not a duration such as 30m, 6h or 1d12h` }
    : { kind: "asked", seconds, text };
}

/** The durations to answer, shortest first, each once. */
export function durationsOf(question: Question): readonly number[] {
  const asked = question.kind === "asked" ? [question.seconds] : [];
  return [...new Set([...USUAL_OUTAGES, ...asked])].sort((a, b) => a - b);
}
