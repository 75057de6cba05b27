import type { System } from "../../daemon/system.ts";
import { amount, paragraph } from "../../diagnosis/wording.ts";
import { withProgress } from "../text/with-progress.ts";
import { Refused } from "../text/refuse.ts";
import { survey, type Survey, type Unanswered } from "./survey.ts";
import { surveyLines } from "./survey-lines.ts";

/** The nodes at several URLs. */

/** Deadline of each request, seconds. */
const TIMEOUT = 10;

export type SurveyedAddresses = ReadonlyArray<Survey | Unanswered>;

/** Surveys all at once. */
export async function surveyed(
  urls: readonly string[],
  system: System,
  say: (text: string) => void,
): Promise<SurveyedAddresses> {
  say(`Surveying ${amount(urls.length, "URL")} with requests that only read.\n\n`);
  return withProgress(system, "surveying", Promise.all(urls.map((url) => survey(url, TIMEOUT))));
}

/** What each URL has, as text. @param now Unix seconds */
export function surveyText(
  asked: SurveyedAddresses,
  surveys: readonly Survey[],
  names: readonly string[],
  now: number,
): string {
  const lines = asked.flatMap((each) => {
    if ("problem" in each) return [each.url, ...paragraph("error", each.problem, "  "), ""];
    const index = surveys.indexOf(each);
    const first = surveys.find((other) => isSame(each, other));
    return index < 0
      ? [each.url, `  the same node as ${first?.url ?? "another URL"} (${each.nodeId ?? ""}): left out`, ""]
      : [...surveyLines(each, names[index] ?? "", now), ""];
  });
  return `${lines.join("\n")}\n`;
}

/** @throws Refused where no node answers, and where one does not, which is more often a mistyped URL than a node that is down */
export function refuseUnanswered(asked: SurveyedAddresses, allowsDown = false): void {
  const down = asked.filter((each) => "problem" in each).map(({ url }) => url);
  if (down.length === asked.length) throw new Refused("no node answers, so nothing was written");
  if (down.length > 0 && !allowsDown)
    throw new Refused(
      `${down.join(", ")}: no answer, so nothing was written\nStart the node, correct the URL, or leave it out with --allow-down.`,
    );
}

/** Each node once: two URLs of one node would be polled twice. */
export function distinct(asked: SurveyedAddresses): readonly Survey[] {
  const surveys = asked.filter((each): each is Survey => !("problem" in each));
  return surveys.filter((each, index) => surveys.findIndex((other) => isSame(each, other)) === index);
}

function isSame(one: Survey, other: Survey): boolean {
  return one === other || (one.nodeId !== undefined && one.nodeId === other.nodeId && one.network === other.network);
}
