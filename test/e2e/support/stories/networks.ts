import type { ScenarioName, Simulation, SimulatorOptions } from "../../../../simulator/simulate.ts";
import type { Draft, Story } from "./story.ts";

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

/** The second node has these scenarios from the start. */
export const ofTwo = (names: readonly ScenarioName[]): NonNullable<SimulatorOptions["scenario"]> =>
  names.map((name) => ({ node: 2, name }));

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

/** One node has these scenarios for some time; the story is judged later. */
export const awhile = (node: number, scenarios: Scenarios, { from = 5, to = 30, ends = 45 } = {}) => ({
  timeline: [...becomes(from, node, scenarios), ...becomes(to, node, "healthy")],
  fault: from,
  recovery: to,
  ends,
});

/** Three of five validators are polled, and are as they are from the start of the processes on: nothing is sent. */
export const complete = (draft: Draft): Story => ({
  network: () => five(),
  timeline: [],
  fault: -WARM_UP,
  pages: [],
  tickets: [],
  ...draft,
});
