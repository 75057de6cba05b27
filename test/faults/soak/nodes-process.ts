import { monitorEventLoopDelay } from "node:perf_hooks";
import { simulateHosted } from "../../../simulator/hosted/hosted.ts";
import { startFaultServer } from "../support/fault-server.ts";
import { healthySocket } from "../rows/sockets.ts";
import { simulatedNodes, type Size } from "./simulated-node.ts";
import { SOAK_FAULTS } from "./soak-faults.ts";

/**
 * The process with the simulated nodes, so that its processor time is not the exporter's. It serves the process that started it
 * (`start-nodes.ts`), and ends with it.
 */

export type NodesOptions = Size & {
  /** Unix milliseconds at which simulated and real time agree. */
  readonly start: number;
  /** Simulated seconds in a real one. */
  readonly speed: number;
  readonly hosted: boolean;
};

export type StartedNodes = {
  readonly nodes: ReadonlyArray<{ readonly name: string; readonly nodeId: string; readonly url: string }>;
  readonly hosted?: { readonly dataUrl: string; readonly metricsUrl: string };
};

/** `fault` is the id of a row, or null for its end. */
type NodesRequest = { readonly id: number } & (
  { readonly what: "nodes" | "cost" } | { readonly what: "fault"; readonly node: number; readonly fault: string | null }
);

/** Longest delay of a timer of ten milliseconds, beyond its interval, since the question before. Milliseconds. */
export type NodesCost = { readonly longestDelay: number };

const RESOLUTION_MS = 10;

const { start, speed, hosted: withHosted, ...size } = JSON.parse(process.argv[2] ?? "{}") as NodesOptions;
const clock = (): number => start + (Date.now() - start) * speed;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const nodes = simulatedNodes(size, clock);
const servers = await Promise.all(nodes.map(({ play }) => startFaultServer(play, { upgrade: healthySocket })));
const hosted = withHosted ? await simulateHosted({ now: clock }) : undefined;
const started: StartedNodes = {
  nodes: nodes.map(({ name, nodeId }, index) => ({ name, nodeId, url: servers[index]?.url ?? "" })),
  ...(hosted === undefined ? {} : { hosted: { dataUrl: hosted.dataUrl, metricsUrl: hosted.metricsUrl } }),
};
const rows = new Map(SOAK_FAULTS.map((row) => [row.id, row]));

/** A request that a fault leaves behind must not end the other nodes. */
process.on("uncaughtException", (error) => process.stderr.write(`a simulated node: ${error.stack ?? error.message}\n`));
process.once("disconnect", () => process.exit(0));
process.on("message", (request: NodesRequest) => {
  void reply(request).then((answer) => process.send?.({ id: request.id, answer }));
});

async function reply(request: NodesRequest): Promise<(StartedNodes & NodesCost) | null> {
  if (request.what !== "fault") {
    const longestDelay = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    return { ...started, longestDelay };
  }
  const server = servers[request.node];
  const row = request.fault === null ? undefined : rows.get(request.fault);
  await (row === undefined ? server?.end() : server?.begin(row.behave()));
  return null;
}
