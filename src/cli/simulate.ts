import { amount } from "../diagnosis/wording.ts";
import { given } from "../config/schema/fields.ts";
import { simulate as startSimulation, type ScenarioName, type SimulatorOptions } from "../../simulator/simulate.ts";
import { SCENARIOS } from "../../simulator/world/scenarios.ts";
import type { Assigned, Flags } from "./flags.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { refuse } from "./text/refuse.ts";

/** Runs the simulated network until a signal ends it. */
export async function simulate(flags: Flags, system: System): Promise<ExitCode> {
  const options = simulated(flags, { nodes: 5, port: 19_650, hosted: true });
  if ("problem" in options) return refuse(system, "simulate", options.problem);
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

/** The simulator's options with the given flags in place of the standard ones, or why they do not fit together, in a sentence. */
export function simulated(
  { nodes, scenario, dialect, release: version, speed, port }: Flags,
  standard: SimulatorOptions & { readonly nodes: number },
): SimulatorOptions | { readonly problem: string } {
  const problem = scenario === undefined ? undefined : faultOf(scenario, nodes ?? standard.nodes);
  if (problem !== undefined) return { problem: `--scenario: ${problem}` };
  return { ...standard, ...given({ nodes, scenario, dialect, version, speed, port }) };
}

/** A scenario that would have no effect: of a node that is not there, or replaced by another one of the same node. */
function faultOf(scenario: Assigned, nodes: number): string | undefined {
  for (const [index, { node, name }] of scenario.entries()) {
    if (node !== "all" && (node < 1 || node > nodes))
      return `there is no node ${node}; the network has ${amount(nodes, "node")}`;
    const earlier = scenario.slice(0, index).find((each) => each.node === node && excludes(each.name, name));
    if (earlier !== undefined)
      return `${earlier.name} and ${name} exclude each other on ${node === "all" ? "one node" : `node ${node}`}`;
  }
  return undefined;
}

/** Whether the scenarios change the same part of a node's behaviour. */
function excludes(one: ScenarioName, other: ScenarioName): boolean {
  const parts = new Set(Object.keys(SCENARIOS[one].change));
  return (
    one === "healthy" || other === "healthy" || Object.keys(SCENARIOS[other].change).some((part) => parts.has(part))
  );
}
