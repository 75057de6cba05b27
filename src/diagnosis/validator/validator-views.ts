import { PRIMARY } from "../../api/node/platform.ts";
import type { Samples } from "../samples.ts";
import { factsOf, labelOf, type Facts, type Row } from "./facts.ts";
import { ownNodeOf, type OwnNode } from "./observers.ts";
import { worstFirst, worstOf } from "./reward.ts";
import { l1ViewsOf, stakesOf, type L1View, type StakeView } from "./stakes.ts";
import type { Verdict } from "./validator-view.ts";

/** A validator, or a polled node of which the ID or the network is not known yet. */
type Candidate = {
  readonly network: string | undefined;
  readonly nodeId: string | undefined;
  readonly nodes: readonly string[];
};

/**
 * What is known about one validator at one instant, from the samples on /metrics. Unknown is `undefined`. Ratios are 0 to 1, times
 * Unix seconds, durations seconds, amounts AVAX.
 */
export type ValidatorView = Readonly<ReturnType<typeof viewOf>>;

/** Everything about every watched validator and polled node, those that need attention first. */
export function validatorViews(samples: Samples): readonly ValidatorView[] {
  const facts = factsOf(samples);
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

/** Facts that name every validator that is known from any poll. */
const NAMING = ["info", "inSet", "observedBudget"] as const;

function candidatesOf(facts: Facts): readonly Candidate[] {
  const found = new Map<string, { network: string | undefined; nodeId: string | undefined; nodes: string[] }>();
  const byId = new Map<string, Set<string>>();
  const add = (row: Row, nodeId: string): void => {
    const network = labelOf(row, "network");
    const key = `${network ?? ""}\n${nodeId}`;
    if (!found.has(key)) found.set(key, { network, nodeId, nodes: [] });
    const keys = byId.get(nodeId) ?? new Set();
    byId.set(nodeId, keys.add(key));
  };
  for (const fact of NAMING)
    for (const row of facts.all(fact)) {
      const nodeId = labelOf(row, "node_id");
      if (nodeId !== undefined) add(row, nodeId);
    }
  for (const row of facts.all("configured")) {
    const node = labelOf(row, "node") ?? "";
    const nodeId = labelOf(row, "node_id");
    const network = labelOf(row, "network");
    if (nodeId === undefined) found.set(`\n\n${node}`, { network, nodeId, nodes: [node] });
    else {
      // A node that has not answered can have a known ID and an unknown network.
      if (network !== undefined || !byId.has(nodeId)) add(row, nodeId);
      for (const key of network === undefined ? (byId.get(nodeId) ?? []) : [`${network}\n${nodeId}`])
        found.get(key)?.nodes.push(node);
    }
  }
  return [...found.values()];
}

function viewOf(facts: Facts, { network, nodeId, nodes: names }: Candidate) {
  const [info] = nodeId === undefined ? [] : facts.rows("info", nodeId, { network });
  const ownNodes = new Set(names);
  const subject = nodeId === undefined ? undefined : { network, nodeId };
  const stakes = subject === undefined ? [] : stakesOf(facts, subject, ownNodes);
  const l1 = subject === undefined ? [] : l1ViewsOf(facts, subject, ownNodes);
  const nodes = names.map((node) => ownNodeOf(facts, node));
  return {
    at: facts.at,
    /** `undefined` for a polled node whose ID is not known yet. */
    nodeId,
    network,
    /** The configured name, else that of the polled node, or of all that share the node ID. */
    name:
      (info && labelOf(info, "name")) ??
      (names.length > 1 ? names.slice(0, MOST_NAMED).join(" and ") : ((info && labelOf(info, "node")) ?? names[0])),
    reward: worstOf(stakes.map(({ reward }) => reward)) ?? withoutStake(facts, { network, nodeId }, nodes, l1),
    /** The polled nodes with this node ID. */
    nodes,
    /** Primary Network first. */
    stakes: onlyKnown(stakes),
    l1,
    upgrade: upgradeOf(facts, network, nodes),
  };
}

/** A configured validator that was never found has no stake to show. */
function onlyKnown(stakes: readonly StakeView[]): readonly StakeView[] {
  return stakes.filter(({ reward }) => reward.reason !== "not_in_set");
}

/** Why a validator has no stake. */
function withoutStake(
  facts: Facts,
  { network, nodeId }: Pick<Candidate, "network" | "nodeId">,
  nodes: readonly OwnNode[],
  l1: readonly L1View[],
): Verdict {
  if (nodeId === undefined) return { state: "unknown", reason: "no_node_id" };
  if (l1.length > 0) return { state: "none", reason: "only_l1" };
  if (nodes.some(({ validates }) => validates === false)) return { state: "none", reason: "not_a_validator" };
  const isSetKnown = facts.rows("setSize", network, { subnet: PRIMARY }).length > 0;
  return isSetKnown ? { state: "none", reason: "not_a_validator" } : { state: "unknown", reason: "no_set" };
}

function upgradeOf(facts: Facts, network: string | undefined, nodes: readonly OwnNode[]) {
  const time = facts.value("upgradeTime", network);
  const named = time === undefined ? [] : facts.rows("activation", network).filter(({ value }) => value === time);
  const ready = nodes.flatMap(({ upgradeReady }) => (upgradeReady === undefined ? [] : [upgradeReady]));
  return {
    /** Upgrade time of the network, ahead or past. */
    time,
    name: named.map((row) => labelOf(row, "upgrade"))[0],
    /** Share of all stake that is ready. */
    readyStake: facts.value("readyStake", network),
    /** Whether every polled node of the validator is ready. */
    ready: ready.length === 0 ? undefined : ready.every(Boolean),
  };
}
