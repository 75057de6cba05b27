import { REASONS } from "../api/reasons.ts";
import { unseenNodes, type Report } from "./seen.ts";
import { amount, listed, paragraph } from "./wording.ts";

/** Questions without an answer that are told; one that many nodes did not answer is one of them. */
const TOLD = 20;

/** What this look could not see: nodes, questions, and conditions. */
export function unlookedAt(report: Report): readonly string[] {
  const { status, diagnosis, complete } = report;
  const unseen = unseenNodes(report);
  const unanswered = Map.groupBy(
    status.targets.flatMap(({ name, endpoints }) =>
      endpoints
        .filter(({ state }) => state === "failing" || state === "waiting")
        .map(({ id, key, error }) => ({
          name,
          question: key === "" ? id : `${id} ${key}`,
          why: error === undefined ? "not answered in time" : `${error.reason}: ${REASONS[error.reason]}`,
        })),
    ),
    ({ question, why }) => `${question}: ${why}`,
  );
  const lines = [...unanswered.values()].map((same) => {
    const [first] = same;
    return `${listed(same.map(({ name }) => name))}: ${first?.question ?? ""}: ${first?.why ?? ""}`;
  });
  return [
    "Not looked at:",
    ...(complete ? [] : ["  time was up before everything was asked"]),
    ...(unseen.length === 0 ? [] : paragraph("-", `${amount(unseen.length, "node")}: ${listed(unseen)}`, "  ")),
    ...lines.slice(0, TOLD).flatMap((line) => paragraph("-", line, "  ")),
    ...(lines.length > TOLD ? [`  - and ${lines.length - TOLD} more questions`] : []),
    ...diagnosis.failed.flatMap(({ alert, why }) => paragraph("-", `${alert}: ${why}`, "  ")),
    ...paragraph("-", `conditions that need history, which Prometheus has: ${diagnosis.needHistory.join(", ")}`, "  "),
    "",
  ];
}
