import { createNetwork, type Network, type Segment } from "./network.ts";
import type { SimulatorSettings, SimulatorOptions } from "./options.ts";
import { behaviourOf, laterChanges, type ScenarioName } from "./scenarios.ts";

/** Segments of the nodes: from the options, and from changes while the simulation runs. */

/** The segments of scenarios that begin at a time: some change by themselves later. */
function segmentsOf(from: number, names: ReadonlyArray<ScenarioName>, version?: string): Segment[] {
  const behaviour = behaviourOf(names);
  const release = version === undefined ? {} : { version };
  const later = laterChanges(names).map(({ afterMs, change }) => ({
    from: from + afterMs,
    names,
    behaviour: { ...behaviour, ...change },
  }));
  return [{ from, names, behaviour, ...release }, ...later];
}

/** The history of every node at the start. */
export function initialHistory(
  settings: SimulatorSettings,
  scenario: NonNullable<SimulatorOptions["scenario"]>,
): Segment[][] {
  const entries = typeof scenario === "string" ? [{ node: "all" as const, name: scenario }] : scenario;
  return Array.from({ length: settings.nodes }, (_, index) => {
    const names = entries.filter(({ node }) => node === "all" || node === index + 1).map(({ name }) => name);
    return segmentsOf(settings.start, names.length === 0 ? ["healthy"] : names);
  });
}

/** A change of one node (1-based) or of all. */
type Change = {
  readonly node: number | "all";
  readonly names: ReadonlyArray<ScenarioName>;
  readonly version?: string | undefined;
};

/** The network with other scenarios, and maybe another release, from `at` (simulated Unix milliseconds) on. */
export function switched(network: Network, { node, names, version }: Change, at: number): Network {
  const history = network.history.map((segments, index) => {
    if (node !== "all" && node !== index + 1) return segments;
    // Of two changes at the same time the later one replaces the earlier one.
    return [...segments.filter(({ from }) => from < at), ...segmentsOf(at, names, version)];
  });
  return createNetwork(network.world, history);
}
