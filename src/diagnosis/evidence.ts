import type { Selector } from "./promql/expression.ts";
import { formatLabels, labelOf, labelsOf, type Labels, type Sample } from "./promql/sample.ts";
import { span } from "../config/base/age.ts";
import { humanizeDuration, humanizePercentage } from "./humanize.ts";
import { utcText } from "./wording.ts";
import { nodeLabels } from "../topics/node/identity.ts";
import type { Samples } from "./samples.ts";

/** Series listed for each metric. */
const SERIES_PER_METRIC = 3;

/** The series of a condition's selectors whose labels match a finding's. */
export function evidenceFor(
  selectors: readonly Selector[],
  labels: Labels,
  samples: Samples,
  isEvidence: (sample: Sample, now: number) => boolean = () => true,
): readonly Evidence[] {
  const found: Evidence[] = [];
  const names = new Set<string>();
  const about = withNodeId(labels, samples);
  for (const { name, matchers } of selectors) {
    if (names.has(name)) continue;
    names.add(name);
    const exact = new Map(matchers.flatMap(({ label, operator, value }) => (operator === "=" ? [[label, value]] : [])));
    const matching = samples
      .about(name, labels.get("node"))
      .filter((sample) => agree(labelsOf(sample), about) && agree(labelsOf(sample), exact))
      .filter((sample) => isEvidence(sample, samples.now));
    found.push(...matching.slice(0, SERIES_PER_METRIC).map((sample) => evidenceOf(sample, samples.now)));
  }
  return found;
}

/** A series about another validator than the one of the node is no evidence. */
function withNodeId(labels: Labels, samples: Samples): Labels {
  const node = labels.get("node");
  if (node === undefined || labels.has("node_id")) return labels;
  const [configured] = samples.about(nodeLabels.metrics.configured.name, node);
  return new Map([...labels, ["node_id", labelOf(configured, "node_id") ?? ""]]);
}

/** Whether common labels are equal. */
function agree(labels: Labels, others: Labels): boolean {
  for (const [name, value] of others) if ((labels.get(name) ?? value) !== value) return false;
  return true;
}

/** A series of a condition, with its value. */
export type Evidence = Readonly<ReturnType<typeof evidenceOf>>;

function evidenceOf(sample: Sample, now: number) {
  const labels = formatLabels(sample);
  return {
    /** As on /metrics. */
    series: labels === "" ? sample.name : `${sample.name}{${labels}}`,
    value: sample.value,
    /** The value as a time, duration or percentage, depending on the unit. */
    words: inWords(sample, now),
  };
}

/** Below ten seconds a duration is one of requests, which has fractions. */
function lengthText(value: number): string {
  const length = Math.abs(value);
  const text = length < 10 || !Number.isFinite(length) ? humanizeDuration(length) : span(length);
  return value < 0 ? `${text} below 0` : text;
}

function inWords({ name: recorded, value }: Sample, now: number): string | undefined {
  const name = recorded.replace(/:\w+$/, "");
  if (name.endsWith("_timestamp_seconds") && Math.abs(value) < 8e12) {
    const distance = span(Math.round(Math.abs(now - value)));
    return `${utcText(value)}, ${value <= now ? `${distance} ago` : `in ${distance}`}`;
  }
  if (name.endsWith("_seconds")) return lengthText(value);
  return name.endsWith("_ratio") ? humanizePercentage(value) : undefined;
}
