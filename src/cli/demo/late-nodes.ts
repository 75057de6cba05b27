import type { Config } from "../../config/config.ts";
import type { Simulation } from "../../../simulator/simulate.ts";
import type { Daemon } from "../../daemon/daemon.ts";

/** Scenarios in which a node lacks blocks that others have. */
const BEHIND: readonly string[] = ["left-behind", "lagging"];

/** The nodes of a simulated network that are behind the others; empty if all are. */
export function lateNodes(simulation: Pick<Simulation, "state">): ReadonlySet<string> {
  const { nodes } = simulation.state();
  const late = nodes.filter(({ scenarios }) => scenarios.some((name) => BEHIND.includes(name)));
  return new Set(late.length === nodes.length ? [] : late.map(({ name }) => name));
}

/**
 * A daemon whose first round has two parts: it was started without the late nodes, and polls them once the others have answered.
 * Lag is computed from answers that are younger than another node's, so it is in the first complete `/metrics`.
 */
export function withLateNodes(daemon: Daemon, whole: Config): Daemon {
  const { poller } = daemon;
  return {
    ...daemon,
    poller: {
      ...poller,
      async firstRound() {
        await poller.firstRound();
        poller.apply(whole);
        await poller.firstRound();
      },
    },
  };
}
