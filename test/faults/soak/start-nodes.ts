import { join } from "node:path";
import { cpuOf } from "../../../bench/measure.ts";
import { startChild } from "../../e2e/support/child.ts";
import type { NodesCost, NodesOptions, StartedNodes } from "./nodes-process.ts";

export type SoakNodes = StartedNodes & {
  readonly begin: (node: number, fault: string) => Promise<void>;
  readonly end: (node: number) => Promise<void>;
  readonly cost: () => Promise<NodesCost>;
  /** Processor time since its start, milliseconds. */
  readonly cpu: () => number;
  readonly stop: () => Promise<void>;
};

/**
 * A little lower priority than the exporter's: the nodes are other machines, and on few cores they would delay it. Not the lowest:
 * other work on this machine would make all nodes late.
 */
const LOWER = ["-n", "5", process.execPath];

/** Starts the process with the simulated nodes; resolves when all listen. */
export async function startNodes(options: NodesOptions): Promise<SoakNodes> {
  const script = join(import.meta.dirname, "nodes-process.ts");
  const { pid, ask, stop } = startChild("nice", [...LOWER, script, JSON.stringify(options)], {}, ["ipc"]);
  return {
    ...(await ask<StartedNodes>({ what: "state" })),
    begin: (node, fault) => ask({ what: "fault", node, fault }),
    end: (node) => ask({ what: "fault", node, fault: null }),
    cost: () => ask<NodesCost>({ what: "state" }),
    cpu: () => cpuOf(pid),
    stop,
  };
}
