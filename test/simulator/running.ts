import { simulate, type Simulation, type SimulatorOptions } from "../../simulator/simulate.ts";
import { afterThisTest } from "../support/cleanup.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");

type Running = {
  readonly simulation: Simulation;
  /** Base URL of a node, numbered from 1. */
  readonly url: (node: number) => string;
  readonly nodeId: (node: number) => string;
  /** Advances the clock by real seconds. */
  readonly pass: (seconds: number) => void;
};

/** A simulation on a clock of the test; closed after the test. */
export async function run(options: SimulatorOptions = {}): Promise<Running> {
  let now = NOON;
  const simulation = await simulate({ now: () => now, ...options });
  afterThisTest.add(simulation.close);
  return {
    simulation,
    url: (node) => simulation.nodes[node - 1]?.url ?? "",
    nodeId: (node) => simulation.nodes[node - 1]?.nodeId ?? "",
    pass: (seconds) => {
      now += seconds * 1000;
    },
  };
}
