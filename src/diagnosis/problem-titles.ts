import { subjectOf, type Diagnosis, type Finding, type Problem } from "./finding.ts";
import { listed } from "./wording.ts";

/** Values that a joined title lists; the rest is counted. */
const LISTED = 6;
/** Labels that tell findings apart, most telling first. A title has two of them at most. */
const TELLING = ["subnet", "chain", "check", "upgrade", "endpoint", "wallet", "node_id", "validation_id"];
const TOLD = 2;

/**
 * One title for findings of one alert: those that differ by one label list its values, as in "sim-7 is benched by 60 % of stake on C, P, X".
 * `undefined` where more differs.
 */
export function joinedTitle(same: readonly Finding[]): string | undefined {
  const [first] = same;
  if (first === undefined || same.length === 1) return first?.summary;
  for (const label of Object.keys(first.labels)) {
    const frames = new Set(same.map(({ summary, labels }) => framed(summary, labels[label])));
    const [frame] = frames;
    const values = [...new Set(same.map(({ labels }) => labels[label] ?? ""))];
    if (frames.size > 1 || frame === undefined || values.length === 1) continue;
    return frame
      .replace(/^\0 (is|has) /, (_, verb) => `\0 ${verb === "is" ? "are" : "have"} `)
      .replace("\0", () => listed(values, LISTED));
  }
  return undefined;
}

/** What to do about findings of one alert; about some checks it is known better. */
export const actionOf = (same: readonly Finding[]): string => [...new Set(same.map(({ action }) => action))].join(" ");

/** The problems, those of one alert and node as one where one title can tell them: a person reads one cause. */
export function joinedProblems(problems: readonly Problem[]): readonly Problem[] {
  const groups = Map.groupBy(problems, (each) => `${each.alert}\n${subjectOf(each)}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    const summary = joinedTitle(same);
    if (first === undefined || summary === undefined) return same;
    return [
      {
        ...first,
        summary,
        action: actionOf(same),
        evidence: same.flatMap(({ evidence }) => evidence),
        consequences: same.flatMap(({ consequences }) => consequences),
        consequenceCount: same.reduce((sum, { consequenceCount }) => sum + consequenceCount, 0),
      },
    ];
  });
}

/** A summary without the word that is this value. */
function framed(summary: string, value = ""): string | undefined {
  const at = value === "" ? -1 : ` ${summary} `.replaceAll(/[,:]/g, " ").indexOf(` ${value} `);
  return at < 0 ? undefined : `${summary.slice(0, at)}\0${summary.slice(at + value.length)}`;
}

/** The summary of one of several findings of an alert, with the labels that tell it from those of the same subject. */
export function distinctTitle(
  finding: Finding,
  others: readonly Finding[],
  { subnetNames }: Pick<Diagnosis, "subnetNames">,
): string {
  const { summary, labels } = finding;
  const alike = others.filter((each) => each.node === finding.node && each.labels["node_id"] === labels["node_id"]);
  const telling = TELLING.filter((label) => alike.some((each) => each.labels[label] !== labels[label]));
  const told = telling.flatMap((label) => {
    const value = labels[label];
    if (value === undefined || summary.includes(value)) return [];
    return [`${label.replace("_id", " ID")} ${subnetNames[value] ?? value}`];
  });
  return told.length === 0 ? summary : `${summary} (${told.slice(0, TOLD).join(", ")})`;
}
