import type { Simulation, SimulatorOptions } from "../../../../simulator/simulate.ts";

/** A failure of a simulated network, and the notifications that it must cause: exactly these. Times are fast minutes. */
export type Story = {
  /** The label `network` of its nodes, which are called `<name>-1` and so on. */
  readonly name: string;
  readonly about: string;
  /** @param start Unix seconds of minute 0 */
  readonly network: (start: number) => Omit<SimulatorOptions, "now">;
  /** Whether the network's L1s are configured: the one of which all validators are members, and the second one where there is one. */
  readonly l1?: boolean;
  /** Whether Prometheus scrapes the nodes' own metrics too, at the addresses of `/sd`. */
  readonly native?: true;
  /** The exporter learns the network of its nodes. */
  readonly learned?: true;
  /** The number of a node that is watched as a validator, and not polled. */
  readonly watched?: number;
  /** The number of a node that the exporter does not know. */
  readonly hidden?: number;
  readonly timeline: ReadonlyArray<readonly [minute: number, happen: (network: Simulation) => void]>;
  /** The minute from which the times of pages count. */
  readonly fault: number;
  /** The minute from which the times of resolutions count. */
  readonly recovery?: number;
  /** The minute at which it is judged. */
  readonly ends: number;
  /** Pages, in their order. */
  readonly pages: readonly ExpectedPage[];
  /** Names of the alerts that are sent as tickets. */
  readonly tickets: readonly string[];
  /** Names of the alerts that are sent for the record; not looked at where absent. */
  readonly records?: readonly string[];
};

/**
 * A story as it is written; `complete` adds what most have, and `INTERRUPTED` names those that are also told to an exporter that restarts.
 * @example
 * import { awhile } from "./networks.ts";
 * const story: Draft = {
 *   name: "killed",
 *   about: "A validator is killed, and returns after 25 minutes.",
 *   ...awhile(2, "offline-validator"),
 *   pages: [{ alerts: ["AvaxNodeDown"], after: [10, 13], resolvedAfter: [0, 4] }],
 * };
 */
export type Draft = Partial<Story> & Pick<Story, "name" | "about" | "ends">;

/** Earliest and latest minute after the fault or the recovery. */
export type Within = readonly [earliest: number, latest: number];

export type ExpectedPage = {
  /** Names of all alerts in the page, one for each alert. */
  readonly alerts: readonly string[];
  readonly after: Within;
  /** Absent: it is not resolved when the story ends. */
  readonly resolvedAfter?: Within;
};
