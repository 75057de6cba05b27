import { simulate as startSimulation, type SimulatorOptions } from "../../simulator/simulate.ts";
import type { Flags } from "./flags.ts";
import type { ExitCode, System } from "../runtime/system.ts";

/** Runs the simulated network until a signal ends it. */
export async function simulate(flags: Flags, system: System): Promise<ExitCode> {
  const simulation = await startSimulation({ port: 19_650, hosted: true, ...simulated(flags) });
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

/** The simulator's options that were given as flags. */
export function simulated({ nodes, scenario, dialect, speed, port }: Flags): SimulatorOptions {
  const given = Object.entries({ nodes, scenario, dialect, speed, port }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
