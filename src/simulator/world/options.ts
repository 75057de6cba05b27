import type { ScenarioName } from "./scenarios.ts";

/** Who the simulated nodes take after: the real AvalancheGo, or a server built from the specification's letter. */
export type Dialect = "avalanchego" | "spec";

export type SimulatorOptions = {
  /** How many nodes listen and can be polled; validators unless the scenario says otherwise. Default 5. */
  readonly nodes?: number;
  /** Size of the Primary Network's set, default max(nodes, 12). The ones beyond `nodes` exist only as records and peers. */
  readonly validators?: number;
  /** At most this many entries in info.peers, default all others. Connectedness of stake is not affected. */
  readonly peersPerNode?: number;
  /** Delegations to the first validator, default 3; the others have 0 to 4. */
  readonly delegators?: number;
  readonly dialect?: Dialect;
  /** Release whose keys are sent: 1.11.13, 1.12.2, 1.13.5, 1.14.2 or 1.15.0 (default). */
  readonly version?: string;
  /** Dialect or release of single nodes (1-based). */
  readonly overrides?: ReadonlyArray<{ readonly node: number; readonly dialect?: Dialect; readonly version?: string }>;
  readonly network?: { readonly id: number; readonly name: string };
  /** Whether the Data API and the Metrics API are simulated too, default not. */
  readonly hosted?: boolean;
  /** In force from the start. Several entries for one node are combined, later ones win where they touch the same thing. */
  readonly scenario?: ScenarioName | ReadonlyArray<{ readonly node: number | "all"; readonly name: ScenarioName }>;
  /** Simulated seconds per real second, default 1. */
  readonly speed?: number;
  /** The real clock, milliseconds since the epoch. */
  readonly now?: () => number;
  readonly host?: string;
  /** Port of the first node, node i listens on port + i; 0 (default) takes free ports. */
  readonly port?: number;
  readonly seed?: number;
  /** Leaves out the odd cases among the validators that are no nodes and among the L1's validations, default not. */
  readonly tidy?: boolean;
  /** Unix seconds of the Helicon upgrade, default 9999-12-01 (not scheduled). */
  readonly heliconTime?: number;
  /** Real seconds that the scenario "slow" takes to answer, default 3. */
  readonly slowSeconds?: number;
};

/** Unix seconds of 9999-12-01, how nodes write "not scheduled". */
export const UNSCHEDULED = 253_399_622_400;

export type Settings = {
  readonly nodes: number;
  readonly validators: number;
  readonly peersPerNode: number;
  readonly delegators: number;
  readonly network: { readonly id: number; readonly name: string };
  readonly version: string;
  readonly seed: number;
  readonly tidy: boolean;
  readonly heliconTime: number;
  /** Simulated and real time agree here: unix milliseconds, whole seconds. */
  readonly start: number;
  readonly dialects: ReadonlyArray<Dialect>;
  readonly versions: ReadonlyArray<string>;
};

/** The options with every default filled in; `start` is the real clock's time in unix milliseconds. */
export function settle(options: SimulatorOptions, start: number): Settings {
  const nodes = options.nodes ?? 5;
  const validators = options.validators ?? Math.max(nodes, 12);
  const override = (i: number) => options.overrides?.find(({ node }) => node === i + 1);
  const version = options.version ?? "1.15.0";
  return {
    nodes,
    validators,
    peersPerNode: options.peersPerNode ?? Number.POSITIVE_INFINITY,
    delegators: options.delegators ?? 3,
    network: options.network ?? { id: 12345, name: "local" },
    version,
    seed: options.seed ?? 1,
    tidy: options.tidy ?? false,
    heliconTime: options.heliconTime ?? UNSCHEDULED,
    start: Math.floor(start / 1000) * 1000,
    dialects: Array.from({ length: nodes }, (_, i) => override(i)?.dialect ?? options.dialect ?? "avalanchego"),
    versions: Array.from({ length: nodes }, (_, i) => override(i)?.version ?? version),
  };
}

/** Whether a release is at least another one, e.g. atLeast("1.14.2", "1.12.2"). */
export function atLeast(version: string, other: string): boolean {
  const parts = (text: string): number[] => text.split(".").map(Number);
  const [left, right] = [parts(version), parts(other)];
  for (const i of [0, 1, 2]) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
