import { simulate as startSimulation } from "../simulator/simulate.ts";
import type { Flags } from "./flags.ts";
import { simulatorOptions } from "./simulation.ts";
import type { ExitCode, System } from "../runtime/system.ts";

/** Runs the simulated network until a signal ends it. */
export async function simulate(flags: Flags, system: System): Promise<ExitCode> {
  const options = simulatorOptions(flags, { port: 19_650, hosted: true });
  if ("problem" in options) {
    system.err(`${options.problem}\n`);
    return 2;
  }
  const simulation = await startSimulation(options);
  for (const { name, url, nodeId } of simulation.nodes) system.out(`${name}  ${url}  ${nodeId}\n`);
  for (const { name, id, chainName, chainId } of simulation.subnets)
    system.out(`subnet ${name}  ${id}  chain ${chainName}  ${chainId}\n`);
  for (const { name, p, c } of simulation.wallets) system.out(`wallet ${name}  ${p}  ${c}\n`);
  const { hosted } = simulation;
  if (hosted !== undefined) system.out(`data-api  ${hosted.dataUrl}\nmetrics-api  ${hosted.metricsUrl}\n`);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  system.onSignal("SIGINT", () => stop(undefined));
  system.onSignal("SIGTERM", () => stop(undefined));
  await stopped;
  await simulation.close();
  return 0;
}
