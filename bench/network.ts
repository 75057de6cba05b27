import { simulate, type SimulatorOptions } from "../simulator/simulate.ts";

/** A process with a simulated network, so that its CPU time is not the daemon's. Started by processes.ts. */

const simulation = await simulate(JSON.parse(process.argv[2] ?? "{}") as SimulatorOptions);
process.once("disconnect", () => process.exit(0));
process.send?.({ nodes: simulation.nodes, subnets: simulation.subnets });
