import { polling } from "../topics/exporter/polling.ts";
import { labelsOf, type Labels, type Sample } from "./promql/sample.ts";
import { identity } from "../topics/node/identity.ts";
import { readiness } from "../topics/node/readiness.ts";
import type { Samples } from "./samples.ts";

/** What the samples say about a node; unknown values are absent. */
export type NodeFacts = {
  readonly up: boolean;
  readonly version?: string;
  readonly nodeId?: string;
  readonly ready?: boolean;
};

const UP = polling.metrics.up.name;
const INFO = identity.metrics.node.name;
const READY = readiness.metrics.ready.name;

/** The facts of every node that has been polled. */
export function nodeFacts(samples: Samples): ReadonlyMap<string, NodeFacts> {
  const facts = new Map<string, NodeFacts>();
  eachNode(samples, UP, (node, { value }) => facts.set(node, { up: value === 1 }));
  const add = (node: string, fact: Partial<NodeFacts>): void => {
    const known = facts.get(node);
    if (known !== undefined) facts.set(node, { ...known, ...fact });
  };
  eachNode(samples, READY, (node, { value }) => add(node, { ready: value === 1 }));
  eachNode(samples, INFO, (node, _sample, labels) => {
    const [version, nodeId] = [labels.get("version") ?? "", labels.get("node_id") ?? ""];
    add(node, { ...(version === "" ? {} : { version }), ...(nodeId === "" ? {} : { nodeId }) });
  });
  return facts;
}

/** The samples of a family that are about a node. */
export function eachNode(
  samples: Samples,
  family: string,
  read: (node: string, sample: Sample, labels: Labels) => void,
): void {
  for (const sample of samples.samples(family)) {
    const labels = labelsOf(sample);
    const node = labels.get("node");
    if (node !== undefined) read(node, sample, labels);
  }
}
