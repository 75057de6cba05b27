import { withSpans } from "../config/base/durations.ts";
import { runbookPath, runbookUrl } from "../topics/all/alerts.ts";
import { bootstrapped } from "../topics/chains/chains.ts";
import { l1Validator } from "../topics/l1/l1-validator.ts";
import { chainStatus, subnets } from "../topics/network/subnet-chains.ts";
import { remedyOf } from "../topics/node/check-words.ts";
import { health } from "../topics/node/health.ts";
import { groupByCause, type Group } from "./causes.ts";
import { countProblems } from "./count-problems.ts";
import { evidenceOf } from "./evidence.ts";
import type { Consequence, Diagnosis, Finding, Problem } from "./finding.ts";
import { byNode, nodeFacts, nodeOverviews, nodesById, type NodeFacts } from "./node-overviews.ts";
import type { FoundSeries, Rule, Rules } from "./rules.ts";
import { labelOf, type Samples } from "./samples.ts";
import { expandTemplate } from "./expand-template.ts";
import { continueTrack, type Continuation, type Track, type Tracked } from "./track.ts";

const MONTH = 30 * 86_400;

/** Limits for one alert: listed findings, and findings with evidence. The counts include all. */
const LISTED = 1_000;
const WITH_EVIDENCE = 50;

/** A condition that is true, before its texts are written. */
export type True = Pick<Finding, "alert" | "severity" | "labels" | "node"> & {
  readonly rule: Rule;
  readonly found: FoundSeries;
};
type Failures = Map<string, string>;

/** What a node itself reports of its check, or that of a chain, if it fails. */
export type Words = (node: string, check: string) => string | undefined;

type Texts = { readonly who: string; readonly words: Words; readonly failed: Failures };

/** Series whose value a failing check explains, that of their label `check` or `chain`. */
const OF_CHECKS: ReadonlySet<string> = new Set(
  [health.metrics.passing, chainStatus.metrics.status, bootstrapped.metrics.done].map(({ name }) => name),
);

/** A diagnosis that continues earlier ones, and what the next one continues from. */
export type Continued = Omit<Continuation<never>, "listed"> & {
  readonly diagnosis: Diagnosis;
  /** All problems, also those that the diagnosis does not list. */
  readonly causes: ReadonlyArray<Tracked<True>>;
  readonly nodes: ReadonlyMap<string, NodeFacts>;
  /** Whether all nodes had been polled. */
  readonly settled: boolean;
};

/**
 * Evaluates every rule on the samples of one instant. `who` names the exporter in texts, where Prometheus uses its address.
 * `before`: the track of earlier evaluations says since when a condition is true; without it only this instant is known.
 */
export function diagnose(
  rules: Rules,
  samples: Samples,
  who: string,
  before?: { readonly track: Track; readonly settled: boolean },
  words: Words = () => undefined,
): Continued {
  const failed: Failures = new Map();
  const found = trueConditions(rules.rules, samples);
  const continued = before && continueTrack(before.track, { ...before, now: samples.now, found, failed });
  const listed: ReadonlyArray<Tracked<True>> =
    continued?.listed ?? found.map((each) => ({ ...each, key: "", state: "firing" }));
  const groups = groupByCause(listed, rules.causes);
  const diagnosis = diagnosisOf(groups, rules, samples, { who, words, failed });
  return {
    diagnosis,
    track: continued?.track ?? NOTHING,
    causes: groups.map(({ cause }) => cause),
    ended: continued?.ended ?? NOTHING,
    nodes: nodeFacts(samples),
    settled: before?.settled ?? false,
  };
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

function diagnosisOf(
  groups: ReadonlyArray<Group<Tracked<True>>>,
  rules: Rules,
  samples: Samples,
  texts: Texts,
): Diagnosis {
  const { failed } = texts;
  return {
    at: samples.now,
    problems: problemsOf(groups, samples, texts),
    ...countProblems(groups),
    claims: Object.fromEntries(
      [...byNode(samples, health.metrics.healthy)].map(([node, { value }]) => [node, value === 1]),
    ),
    overview: nodeOverviews(samples),
    subnetNames: Object.fromEntries(
      samples
        .samples(subnets.metrics.info.name)
        .map((each) => [labelOf(each, "subnet") ?? "", labelOf(each, "name") ?? ""]),
    ),
    topUps: Object.fromEntries(
      samples
        .samples(l1Validator.metrics.price.name)
        .map((each) => [labelOf(each, "network") ?? "", each.value * MONTH]),
    ),
    judged: rules.rules.length - failed.size,
    ofPrometheus: rules.ofPrometheus,
    failed: [...failed].map(([alert, why]) => ({ alert, why })),
  };
}

function trueConditions(rules: readonly Rule[], samples: Samples): readonly True[] {
  const nodes = nodesById(samples);
  return rules.flatMap((rule) => {
    const { name, severity } = rule.alert;
    return rule.find(samples).map((found): True => {
      const { labels } = found.series;
      return { alert: name, severity, labels, node: labels["node"] ?? nodes.get(labels["node_id"])?.[0], rule, found };
    });
  });
}

/** An alert whose title cannot be rendered must not hide the others. */
function noteFailure(error: unknown, alert: string, failed: Failures): void {
  if (!(error instanceof RangeError)) throw error;
  if (!failed.has(alert)) failed.set(alert, error.message);
}

/** The problems with their texts, within the limits of each alert; causes are listed before consequences. */
function problemsOf(groups: ReadonlyArray<Group<Tracked<True>>>, samples: Samples, texts: Texts): readonly Problem[] {
  const numbers = new Map<string, number>();
  function listed(found: Tracked<True>): Finding | undefined {
    const { name } = found.rule.alert;
    const number = numbers.get(name) ?? 0;
    if (number === LISTED) return undefined;
    numbers.set(name, number + 1);
    return findingOf(found, samples, texts, number < WITH_EVIDENCE);
  }
  const causes = groups.flatMap(({ cause, consequences }) => {
    const finding = listed(cause);
    return finding === undefined ? [] : [{ finding, consequences }];
  });
  return causes.map(({ finding, consequences }) => ({
    ...finding,
    consequences: consequences.flatMap((each): readonly Consequence[] => {
      const found = listed(each.finding);
      return found === undefined ? [] : [{ ...found, explainedBy: each.by.alert, why: each.by.why }];
    }),
    consequenceCount: consequences.length,
  }));
}

function findingOf(
  { rule: { alert }, found, labels, state, since, node }: Tracked<True>,
  samples: Samples,
  { who, words, failed }: Texts,
  withEvidence: boolean,
): Finding {
  const { value, series } = found;
  const check = OF_CHECKS.has(series.name) ? (labels["check"] ?? labels["chain"]) : undefined;
  const said = check === undefined || node === undefined ? undefined : words(node, check);
  let summary: string = alert.name;
  try {
    summary = withSpans(expandTemplate(alert.summary, { labels: { instance: who, ...labels }, value }));
  } catch (error) {
    noteFailure(error, alert.name, failed);
  }
  return {
    alert: alert.name,
    severity: alert.severity,
    for: alert.for,
    state,
    since,
    labels,
    node,
    value,
    summary,
    meaning: alert.meaning,
    action: (said === undefined ? undefined : remedyOf(said)) ?? alert.action,
    runbook: runbookUrl(alert.name),
    runbookPath: runbookPath(alert.name),
    evidence: withEvidence ? [evidenceOf(series, samples.now, said)] : [],
  };
}
