import { polling } from "../topics/exporter/polling.ts";
import { labelOf, type Sample } from "./promql/sample.ts";
import { identity } from "../topics/node/identity.ts";
import { readiness } from "../topics/node/health.ts";
import type { Samples } from "./samples.ts";

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
export function byNode(samples: Samples, { name }: { readonly name: string }): ReadonlyMap<string, Sample> {
  return new Map(samples.samples(name).map((sample) => [labelOf(sample, "node") ?? "", sample]));
}
