import { polling } from "../topics/exporter/polling.ts";
import { labelsOf } from "./promql/sample.ts";
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

/** The families that `nodeFacts` reads. */
export const FACTS = [UP, INFO, READY] as const;

/** The facts of every node that has been polled. */
export function nodeFacts(samples: Samples): ReadonlyMap<string, NodeFacts> {
  const facts = new Map<string, NodeFacts>();
  const add = function (
    name: string,
    read: (value: number, labels: ReadonlyMap<string, string>) => Partial<NodeFacts>,
  ) {
    for (const sample of samples.samples(name)) {
      const labels = labelsOf(sample);
      const node = labels.get("node") ?? "";
      const known = facts.get(node);
      if (name === UP) facts.set(node, { up: sample.value === 1 });
      else if (known !== undefined) facts.set(node, { ...known, ...read(sample.value, labels) });
    }
  };
  add(UP, () => ({}));
  add(READY, (value) => ({ ready: value === 1 }));
  add(INFO, (_, labels) => {
    const [version, nodeId] = [labels.get("version") ?? "", labels.get("node_id") ?? ""];
    return { ...(version === "" ? {} : { version }), ...(nodeId === "" ? {} : { nodeId }) };
  });
  return facts;
}
