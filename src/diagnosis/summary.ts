import { severityWord, type Report } from "./finding.ts";
import { verdictOf } from "./report.ts";
import { amount, paint, paragraph } from "./wording.ts";

/** Problems that are listed. */
const LISTED = 10;

/** The short form of the report: one line for each problem, worst first, and the verdict. */
export function summaryOf(report: Report, colours: boolean): string {
  const { problems } = report.diagnosis;
  const tone = paint(colours);
  const more = problems.length - LISTED;
  return [
    ...problems.slice(0, LISTED).flatMap(({ severity, summary }) => paragraph(severityWord(severity), summary, "  ")),
    ...(more > 0 ? [`  and ${amount(more, "more problem")}`] : []),
    verdictOf(report, tone),
    "",
  ].join("\n");
}
