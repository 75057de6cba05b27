import { PRIMARY } from "../api/node/platform.ts";
import { quantile } from "./promql/aggregate.ts";
import { labelsOf, type Labels, type Sample } from "./promql/sample.ts";
import { lag } from "../topics/chains/lag.ts";
import { identity, nodeLabels } from "../topics/node/identity.ts";
import { peerCount } from "../topics/node/peers.ts";
import { networkVerdict } from "../topics/validators/network-verdict.ts";
import { rewardVerdict } from "../topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../topics/validators/validator-requirement.ts";
import { validator } from "../topics/validators/validator.ts";
import { eachNode } from "./node-facts.ts";
import type { Lag, NodeOverview } from "./finding.ts";
import type { Samples } from "./samples.ts";

const VERSION = identity.metrics.node.name;
const CONFIGURED = nodeLabels.metrics.configured.name;
const BLOCKS = lag.metrics.blocks.name;
const SINCE = lag.metrics.behindSince.name;
const PEERS = peerCount.metrics.count.name;
const BUDGET = rewardVerdict.metrics.budget.name;
const UPTIME = networkVerdict.metrics.median.name;
const REQUIRED = validatorRequirement.metrics.requirement.name;
const VALIDATOR = validator.metrics.info.name;

type Facts = { -readonly [K in keyof NodeOverview]: NodeOverview[K] };

/** Names of the polled nodes by node ID. Several nodes can share one, as during a move. */
export function nodesById(samples: Samples): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  eachNode(samples, CONFIGURED, (node, _sample, labels) => {
    const id = labels.get("node_id") ?? "";
    if (id !== "" && node !== "") names.set(id, [...(names.get(id) ?? []), node]);
  });
  return names;
}

/** The facts of every node. */
export function nodeOverviews(
  samples: Samples,
  byId: ReadonlyMap<string, readonly string[]>,
): Readonly<Record<string, NodeOverview>> {
  const nodes = new Map<string, Facts>();
  const factsOf = (node: string): Facts => {
    const known = nodes.get(node) ?? {};
    nodes.set(node, known);
    return known;
  };
  const each = (family: string, read: (facts: Facts, sample: Sample, labels: Labels) => void): void =>
    eachNode(samples, family, (node, sample, labels) => read(factsOf(node), sample, labels));

  each(VERSION, (facts, _sample, labels) => {
    const version = labels.get("version");
    if (version !== undefined) facts.version = version;
  });
  each(PEERS, (facts, { value }) => (facts.peers = value));
  each(UPTIME, (facts, { value }) => (facts.uptime = value));
  each(VALIDATOR, (facts) => (facts.validator = true));
  const behind = new Map<Facts, Pick<Lag, "chain" | "since">>();
  each(SINCE, (facts, { value: since }, labels) => {
    if (since < (behind.get(facts)?.since ?? Infinity)) behind.set(facts, { chain: labels.get("chain") ?? "", since });
  });
  each(BLOCKS, (facts, { value: blocks }, labels) => {
    const chain = labels.get("chain") ?? "";
    const worst = behind.get(facts);
    if (worst === undefined ? blocks > (facts.lag?.blocks ?? -1) : worst.chain === chain)
      facts.lag = { ...worst, chain, blocks };
  });
  for (const sample of samples.samples(REQUIRED)) {
    const labels = labelsOf(sample);
    if (labels.get("subnet") === PRIMARY)
      for (const node of byId.get(labels.get("node_id") ?? "") ?? []) factsOf(node).required = sample.value;
  }
  for (const [id, seconds] of budgets(samples))
    for (const node of byId.get(id) ?? []) factsOf(node).downtimeLeft = seconds;
  return Object.fromEntries(nodes);
}

/** Seconds of downtime left of each validator of the Primary Network: the median of its observers, as in the alerts. */
function budgets(samples: Samples): ReadonlyMap<string, number> {
  const observed = samples.samples(BUDGET).filter((sample) => labelsOf(sample).get("subnet") === PRIMARY);
  const byId = Map.groupBy(observed, (sample) => labelsOf(sample).get("node_id") ?? "");
  return new Map(
    [...byId].map(([id, all]) => [
      id,
      quantile(
        0.5,
        all.map(({ value }) => value),
      ),
    ]),
  );
}
