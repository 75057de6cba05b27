import type { Selector } from "../promql/expression.ts";
import { labelsOf, type Labels, type Sample } from "../promql/sample.ts";
import type { Work } from "../runtime/work.ts";
import type { Evidence } from "./finding.ts";
import { humanizeDuration, humanizePercentage } from "./template.ts";
import type { Samples } from "./samples.ts";

/** Series shown of each metric: the first tell enough. */
const OF_EACH = 3;

/** The series that a condition named and that a finding is about: those that agree with its labels. */
export function* evidenceFor(
  selectors: readonly Selector[],
  labels: Labels,
  samples: Samples,
): Work<readonly Evidence[]> {
  const found: Evidence[] = [];
  const names = new Set<string>();
  for (const { name, matchers } of selectors) {
    if (names.has(name)) continue;
    names.add(name);
    const exact = new Map(matchers.flatMap(({ label, operator, value }) => (operator === "=" ? [[label, value]] : [])));
    const agreeing = (yield* samples.about(name, labels.get("node"))).filter(
      (sample) => agrees(labelsOf(sample), labels) && agrees(labelsOf(sample), exact),
    );
    found.push(...agreeing.slice(0, OF_EACH).map((sample) => evidenceOf(sample, samples.now)));
  }
  return found;
}

function agrees(labels: Labels, others: Labels): boolean {
  for (const [name, value] of others) if ((labels.get(name) ?? value) !== value) return false;
  return true;
}

function evidenceOf(sample: Sample, now: number): Evidence {
  const inside = [...labelsOf(sample)].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",");
  return {
    series: inside === "" ? sample.name : `${sample.name}{${inside}}`,
    value: sample.value,
    words: inWords(sample, now),
  };
}

function inWords({ name, value }: Sample, now: number): string | undefined {
  if (name.endsWith("_timestamp_seconds") && Math.abs(value) < 8e12) {
    const time = new Date(value * 1000).toISOString().slice(0, 19).replace("T", " ");
    const distance = humanizeDuration(Math.round(Math.abs(now - value)));
    return `${time} UTC, ${value <= now ? `${distance} ago` : `in ${distance}`}`;
  }
  if (name.endsWith("_seconds")) return humanizeDuration(value);
  return name.endsWith("_ratio") ? humanizePercentage(value) : undefined;
}
