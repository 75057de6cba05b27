import { PRIMARY } from "../api/node/platform.ts";
import { labelOf, type Samples } from "./samples.ts";
import type { Reading } from "../exposition/sample.ts";
import { lag } from "../topics/chains/lag.ts";
import { identity, nodeLabels } from "../topics/node/identity.ts";
import { polling } from "../topics/exporter/polling.ts";
import { readiness } from "../topics/node/health.ts";
import { peerCount } from "../topics/node/peers.ts";
import { networkVerdict } from "../topics/validators/network-verdict.ts";
import { reward } from "../topics/validators/reward.ts";
import { validatorRequirement } from "../topics/validators/validator-requirement.ts";
import { validator } from "../topics/validators/validator.ts";
import type { Lag, NodeOverview } from "./finding.ts";

/** Names of the polled nodes by node ID. Several nodes can share one, as during a move. */
export function nodesById(samples: Samples): ReadonlyMap<string | undefined, readonly string[]> {
  const groups = Map.groupBy(byNode(samples, nodeLabels.metrics.configured), ([, node]) => labelOf(node, "node_id"));
  groups.delete(undefined);
  return new Map([...groups].map(([id, nodes]) => [id, nodes.map(([name]) => name)]));
}

/** The facts of every polled node. */
export function nodeOverviews(samples: Samples): Readonly<Record<string, NodeOverview>> {
  const infos = byNode(samples, identity.metrics.node);
  const peers = byNode(samples, peerCount.metrics.count);
  const uptimes = byNode(samples, networkVerdict.metrics.median);
  const validators = byNode(samples, validator.metrics.info);
  const required = ofPrimary(samples, validatorRequirement.metrics.requirement);
  const budgets = ofPrimary(samples, reward.metrics.left);
  const lags = lagsOf(samples);
  const nodes = [...byNode(samples, nodeLabels.metrics.configured)].map(
    ([node, configured]): [string, NodeOverview] => {
      const id = labelOf(configured, "node_id") ?? "";
      return [
        node,
        {
          version: labelOf(infos.get(node), "version"),
          lag: lags.get(node),
          peers: peers.get(node)?.value,
          downtimeLeft: budgets.get(id)?.[0]?.value,
          uptime: uptimes.get(node)?.value,
          required: required.get(id)?.[0]?.value,
          validator: validators.has(node) || undefined,
        },
      ];
    },
  );
  return Object.fromEntries(nodes);
}

/** The samples about validators of the Primary Network, by node ID. */
function ofPrimary(samples: Samples, { name }: { readonly name: string }): ReadonlyMap<string, readonly Reading[]> {
  const found = samples.samples(name).filter((sample) => labelOf(sample, "subnet") === PRIMARY);
  return Map.groupBy(found, (sample) => labelOf(sample, "node_id") ?? "");
}

/** Since when a node is behind its network, Unix seconds, and the chain that is behind longest, where it is known. */
type Behind = { readonly since: number; readonly chain: string | undefined };

/** The nodes that are behind, by the verdict that pages too. */
export function nodesBehind(samples: Samples): ReadonlyMap<string, Behind> {
  const chains = Map.groupBy(samples.samples(lag.metrics.behindSince.name), (row) => labelOf(row, "node"));
  return new Map(
    [...byNode(samples, lag.metrics.behindFor)].flatMap(([node, { value }]): Array<[string, Behind]> => {
      if (value === 0) return [];
      const since = samples.now - value;
      // A chain that the node bootstraps can be further behind, and does not count.
      const [nearest] = [...(chains.get(node) ?? [])].sort(
        (one, other) => Math.abs(one.value - since) - Math.abs(other.value - since),
      );
      return [[node, { since, chain: labelOf(nearest, "chain") }]];
    }),
  );
}

/** The lag of each node: of the chain that is behind longest, else of the most blocks. */
function lagsOf(samples: Samples): ReadonlyMap<string, Lag> {
  const behind = nodesBehind(samples);
  const blocks = Map.groupBy(samples.samples(lag.metrics.blocks.name), (row) => labelOf(row, "node") ?? "");
  return new Map(
    [...blocks].flatMap(([node, rows]): Array<[string, Lag]> => {
      const { chain, since } = behind.get(node) ?? {};
      const most = rows.toSorted((one, other) => other.value - one.value);
      const row = rows.find((each) => labelOf(each, "chain") === chain) ?? most[0];
      return row === undefined ? [] : [[node, { chain: labelOf(row, "chain") ?? "", blocks: row.value, since }]];
    }),
  );
}

/** What the samples say about a node. Unknown is `undefined`. */
export type NodeFacts = {
  readonly up: boolean;
  readonly version?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly ready?: boolean | undefined;
};

/** The facts of every node that has been polled. */
export function nodeFacts(samples: Samples): ReadonlyMap<string, NodeFacts> {
  const infos = byNode(samples, identity.metrics.node);
  const ready = byNode(samples, readiness.metrics.ready);
  return new Map(
    [...byNode(samples, polling.metrics.up)].map(([node, { value }]) => {
      const [info, isReady] = [infos.get(node), ready.get(node)?.value];
      const facts = { version: labelOf(info, "version"), nodeId: labelOf(info, "node_id") };
      return [node, { up: value === 1, ...facts, ready: isReady === undefined ? undefined : isReady === 1 }];
    }),
  );
}

/** The sample of each node in a family that has one for a node. */
export function byNode(samples: Samples, { name }: { readonly name: string }): ReadonlyMap<string, Reading> {
  return new Map(samples.samples(name).map((sample) => [labelOf(sample, "node") ?? "", sample]));
}
