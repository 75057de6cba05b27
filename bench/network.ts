import { subscribe } from "node:diagnostics_channel";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { IncomingMessage } from "node:http";
import { simulate, type SimulatorOptions } from "../simulator/simulate.ts";

/**
 * A process with a simulated network, so that its CPU time is not the daemon's. Started by processes.ts; to each message it answers
 * the number of HTTP requests that each node has got so far, the CPU that it took so far, and by how much its own event loop was late since
 * the last message.
 */

const requests = new Map<number | undefined, number>();
subscribe("http.server.request.start", (message) => {
  const port = (message as { request: IncomingMessage }).request.socket.localPort;
  requests.set(port, (requests.get(port) ?? 0) + 1);
});

const { nodes } = await simulate(JSON.parse(process.argv[2] ?? "{}") as SimulatorOptions);
const late = monitorEventLoopDelay({ resolution: 10 });
late.enable();
process.on("message", () => {
  const counts = nodes.map(({ url }) => requests.get(Number(new URL(url).port)) ?? 0);
  const { user, system } = process.cpuUsage();
  process.send?.({ requests: counts, late: late.percentile(99) / 1e6, cpu: user + system });
  late.reset();
});
process.once("disconnect", () => process.exit(0));
process.send?.(nodes);
