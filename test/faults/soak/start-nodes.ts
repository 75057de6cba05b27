import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cpuOf } from "../../../bench/measure.ts";
import type { NodesCost, NodesOptions, StartedNodes } from "./nodes-process.ts";
import { startAsked } from "./process.ts";

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
const LOWER = { execPath: "nice", execArgv: ["-n", "5", process.execPath] };

/** Starts the process with the simulated nodes; resolves when all listen. */
export async function startNodes(options: NodesOptions): Promise<SoakNodes> {
  const { child, ask, stop } = startAsked(
    join(import.meta.dirname, "nodes-process.ts"),
    [JSON.stringify(options)],
    LOWER,
  );
  const [started] = (await Promise.race([once(child, "message"), diedEarly(child)])) as [StartedNodes];
  return {
    ...started,
    begin: (node, fault) => ask({ node, fault }),
    end: (node) => ask({ node, fault: null }),
    cost: () => ask<NodesCost>({ cost: true }),
    cpu: () => cpuOf(child.pid),
    stop,
  };
}

async function diedEarly(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, "exit")) as [unknown];
  throw new Error(`the simulated nodes ended with ${String(code)}`);
}
