import { PRIMARY } from "../../api/node/platform.ts";
import { nearest } from "../../config/base/nearest.ts";
import { limitOf, type ThresholdSettings } from "../../topics/define/condition.ts";
import { littleBudget } from "../../topics/validators/reward-state.ts";
import { labelOf, type Samples } from "../samples.ts";
import type { Reading } from "../../exposition/sample.ts";
import { allOf, factsOf, rowsOf, valueOf, type ValidatorFacts } from "./validator-facts.ts";
import { ownNodeOf, type OwnNode } from "./observers-of.ts";
import { worstFirst, worstOf, type RewardVerdict } from "./reward-verdict.ts";
import { l1ViewsOf, stakesOf, type L1View, type StakeView } from "./stake-view.ts";

/**
 * What is known about one validator at one instant, from the samples on /metrics. Unknown is `undefined`. Ratios are 0 to 1, times
 * Unix seconds, durations seconds, amounts AVAX.
 */
export type ValidatorView = {
  readonly at: number;
  /** `undefined` for a polled node whose ID is not known yet. */
  readonly nodeId: string | undefined;
  readonly network: string | undefined;
  /** The configured name, else that of the polled node, or of all that share the node ID. */
  readonly name: string | undefined;
  readonly reward: RewardVerdict;
  /** The polled nodes with this node ID. */
  readonly nodes: readonly OwnNode[];
  /** Primary Network first. A configured validator that was never found has no stake to show. */
  readonly stakes: readonly StakeView[];
  readonly l1: readonly L1View[];
  readonly upgrade: {
    /** Upgrade time of the network, ahead or past. */
    readonly time: number | undefined;
    readonly name: string | undefined;
    /** Share of all stake that is ready. */
    readonly readyStake: number | undefined;
    /** Whether every polled node of the validator is ready. */
    readonly ready: boolean | undefined;
  };
};

/**
 * Everything about every watched validator and polled node, those that need attention first.
 * @param settings the limits of the alerts that are set
 */
export function validatorViews(samples: Samples, settings: ThresholdSettings = new Map()): readonly ValidatorView[] {
  const facts = factsOf(samples, limitOf(littleBudget, settings));
  const leastBudget = ({ stakes }: ValidatorView) => Math.min(...stakes.map(({ budget = Infinity }) => budget));
  return candidatesOf(facts)
    .map((candidate) => viewOf(facts, candidate))
    .sort(
      (a, b) =>
        worstFirst(a.reward.state, b.reward.state) ||
        Math.sign(leastBudget(a) - leastBudget(b)) ||
        (titleOf(a) < titleOf(b) ? -1 : 1),
    );
}

/** The name of a validator, else its node ID. */
export function titleOf({ name, nodeId, nodes }: Pick<ValidatorView, "name" | "nodeId" | "nodes">): string {
  return name ?? nodeId ?? nodes[0]?.node ?? "";
}

/** Nodes with one node ID that are named. */
const MOST_NAMED = 3;

/** A validator, or a polled node of which the ID or the network is not known yet. */
type Candidate = Pick<ValidatorView, "network" | "nodeId"> & { readonly nodes: readonly string[] };

function candidatesOf({ validator, observed, node }: ValidatorFacts): readonly Candidate[] {
  const named = (row: Reading) => ({ network: labelOf(row, "network"), nodeId: labelOf(row, "node_id") });
  const known = [validator.info, validator.inSet, observed.budget]
    .flatMap(allOf)
    .map((row) => ({ ...named(row), nodes: [] }));
  const polled = allOf(node.configured).map((row) => ({ ...named(row), nodes: [labelOf(row, "node") ?? ""] }));
  // A node that has not answered can have a known ID and an unknown network.
  const placed = polled.flatMap((each) => {
    if (each.network !== undefined || each.nodeId === undefined) return [each];
    const networks = [...known, ...polled].flatMap(({ nodeId, network }) => (nodeId === each.nodeId && network) || []);
    return networks.length === 0 ? [each] : networks.map((network) => ({ ...each, network }));
  });
  const groups = Map.groupBy([...known, ...placed], ({ network, nodeId, nodes }) =>
    JSON.stringify(nodeId === undefined ? nodes : [network, nodeId]),
  );
  return [...groups.values()].map((all) => ({
    network: all[0]?.network,
    nodeId: all[0]?.nodeId,
    nodes: [...new Set(all.flatMap(({ nodes }) => nodes))],
  }));
}

function viewOf(facts: ValidatorFacts, { network, nodeId, nodes: names }: Candidate): ValidatorView {
  const [info] = nodeId === undefined ? [] : rowsOf(facts.validator.info, nodeId, { network });
  const subject = nodeId === undefined ? undefined : { network, nodeId, ownNodes: new Set(names) };
  const stakes = subject === undefined ? [] : stakesOf(facts, subject);
  const l1 = subject === undefined ? [] : l1ViewsOf(facts, subject);
  const nodes = names.map((node) => ownNodeOf(facts, node));
  return {
    at: facts.at,
    nodeId,
    network,
    name:
      labelOf(info, "name") ??
      (names.length > 1 ? names.slice(0, MOST_NAMED).join(" and ") : (labelOf(info, "node") ?? names[0])),
    reward: worstOf(stakes.map(({ reward }) => reward)) ?? withoutStake(facts, { network, nodeId }, nodes, l1),
    nodes,
    stakes: stakes.filter(({ reward }) => reward.reason !== "not_in_set"),
    l1,
    upgrade: upgradeOf(facts, network, nodes),
  };
}

/** Why a validator has no stake. */
function withoutStake(
  facts: ValidatorFacts,
  { network, nodeId }: Pick<Candidate, "network" | "nodeId">,
  nodes: readonly OwnNode[],
  l1: readonly L1View[],
): RewardVerdict {
  if (nodeId === undefined) return { state: "unknown", reason: "no_node_id" };
  if (l1.length > 0) return { state: "none", reason: "only_l1" };
  if (nodes.some(({ validates }) => validates === false)) return { state: "none", reason: "not_a_validator" };
  const isSetKnown = rowsOf(facts.network.setSize, network, { subnet: PRIMARY }).length > 0;
  return isSetKnown ? { state: "none", reason: "not_a_validator" } : { state: "unknown", reason: "no_set" };
}

function upgradeOf({ network: about }: ValidatorFacts, network: string | undefined, nodes: readonly OwnNode[]) {
  const time = valueOf(about.upgradeTime, network);
  const named = rowsOf(about.activation, network).find(({ value }) => value === time);
  const ready = nodes.flatMap(({ upgradeReady }) => upgradeReady ?? []);
  return {
    time,
    name: labelOf(named, "upgrade"),
    readyStake: valueOf(about.readyStake, network),
    ready: ready.length === 0 ? undefined : ready.every(Boolean),
  };
}

/** Suggestions for an unknown name. */
const MOST_SUGGESTIONS = 5;

/**
 * The validators that a text names: those with this node ID, else those of the polled node with this name, else those with this
 * configured name. Several networks can have the same node ID, and several validators the same configured name.
 */
export function findValidators(
  views: readonly ValidatorView[],
  text: string,
  network: string | undefined,
): readonly ValidatorView[] {
  const within = network === undefined ? views : views.filter((view) => view.network === network);
  const ways = [
    within.filter(({ nodeId }) => nodeId === text),
    within.filter(({ nodes }) => nodes.some(({ node }) => node === text)),
    within.filter(({ name }) => name === text),
  ];
  return ways.find((found) => found.length > 0) ?? [];
}

/** The names and node IDs that are similar to a text, or contain at least three characters as it has them. */
export function nearestValidators(views: readonly ValidatorView[], text: string): readonly string[] {
  const names = views.flatMap(({ name, nodeId, nodes }) => [name ?? [], nodeId ?? [], nodes.map(({ node }) => node)]);
  const part = text.toLowerCase();
  return [...new Set(names.flat())]
    .filter((each) => nearest(text, [each]) === each || (part.length >= 3 && each.toLowerCase().includes(part)))
    .slice(0, MOST_SUGGESTIONS);
}
