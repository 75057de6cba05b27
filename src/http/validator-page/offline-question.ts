import { parseDuration } from "../../config/base/units.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";

/** Durations of the outages that every page answers, in seconds. */
const USUAL_OUTAGES = [600, 3600, 86_400] as const;

/** Longest outage that is answered: no staking period is longer. Seconds. */
const LONGEST = 10 * 365 * 86_400;

/** The duration of a parameter such as `?offline=`, which is "" when missing, or why it is none. */
export type OfflineQuestion = { readonly text: string; readonly seconds?: number; readonly why?: string };

export function readQuestion(query: URLSearchParams, parameter: "offline" | "down"): OfflineQuestion {
  const text = (query.get(parameter) ?? "").trim().slice(0, 40);
  if (text === "") return { text };
  // People write "6 h" and "1 day" too.
  const seconds = parseDuration(text.toLowerCase().replace(/\s+/g, ""));
  return seconds === undefined || seconds <= 0 || seconds > LONGEST
    ? { text, why: `"${text}" is not a duration such as 30m, 6h or 1d12h` }
    : { text, seconds };
}

/** The durations to answer, shortest first, each once. */
export function durationsOf({ seconds }: OfflineQuestion): readonly number[] {
  return [...new Set([...USUAL_OUTAGES, ...(seconds === undefined ? [] : [seconds])])].sort((a, b) => a - b);
}

type Form = {
  readonly parameter: "offline" | "down";
  readonly label: string;
  /** The inputs after that of the duration. */
  readonly others: Html;
};

/** The form that asks the page again. Its answer is in the section with the ID of the parameter. */
export function renderForm({ text, why }: OfflineQuestion, { parameter, label, others }: Form): Html {
  const wrong = why === undefined ? NOTHING : safe` aria-invalid="true" aria-describedby="why"`;
  return safe`<form method="get" action="#${parameter}">
    <label>${label} <input id="duration" name="${parameter}" value="${text}" maxlength="40" size="8" placeholder="6h" autocomplete="off"${wrong}></label>
    ${others}
    <button>Answer</button>
    ${why === undefined ? NOTHING : safe`<p class="wrong" id="why">${why}</p>`}
  </form>`;
}
