import type { Simulation, SimulatorOptions } from "../../../../simulator/simulate.ts";
import type { Story } from "./story.ts";

/** Networks and steps that the stories share. */

/** Fast minutes from the start of the processes to minute 0 of the stories: every node has been polled by then. */
export const WARM_UP = 11;

/**
 * Five validators of equal stake. Four of them, and an L1 without the second, still are a quorum; three are not.
 * @param nodes how many of them are polled
 */
export const five = (nodes = 3, more: Omit<SimulatorOptions, "now"> = {}): ReturnType<Story["network"]> => ({
  nodes,
  validators: 5,
  tidy: true,
  equalStakes: true,
  quorum: true,
  ...more,
});

type Steps = Story["timeline"];
type Scenarios = Parameters<Simulation["set"]>[1];

/** The release that knows the upgrade, and the one before it. */
export const RELEASE = "1.15.0";
export const OLD_RELEASE = "1.14.2";

/** One node gets these scenarios. */
export const becomes = (minute: number, node: number, scenarios: Scenarios): Steps => [
  [minute, (network) => network.set(node, scenarios)],
];

/** A node is stopped for two minutes and bootstraps for some more, maybe with another release. */
export const restart = (minute: number, node: number, { bootstrapping = 5, version = RELEASE } = {}): Steps => [
  [minute, (network) => network.set(node, "offline-validator", version)],
  [minute + 2, (network) => network.set(node, "bootstrapping")],
  [minute + 2 + bootstrapping, (network) => network.set(node, "healthy")],
];

/** From minute 5 to minute 30 one node has these scenarios; it is judged at minute 45. */
export const awhile = (node: number, scenarios: Scenarios) => ({
  timeline: [...becomes(5, node, scenarios), ...becomes(30, node, "healthy")],
  fault: 5,
  recovery: 30,
  ends: 45,
});
