import { behaviourOf, type ScenarioName } from "./scenarios.ts";

/** Model of the simulated nodes: real AvalancheGo, or a server of the specification. */
export type SimulatedDialect = "avalanchego" | "spec";

export type SimulatorOptions = {
  /** Number of nodes that listen; validators unless the scenario says otherwise. Default 5. */
  readonly nodes?: number;
  /** Size of the Primary Network's set, default max(nodes, 12). Those beyond `nodes` exist only as records and peers. */
  readonly validators?: number;
  /** Maximum number of entries in info.peers, default all. Does not affect connected stake. */
  readonly peersPerNode?: number;
  /** Delegations to the first validator, default 3; the others have 0 to 4. */
  readonly delegators?: number;
  readonly dialect?: SimulatedDialect;
  /** Release: 1.11.13, 1.12.2, 1.13.5, 1.14.2, 1.15.0 (default) or a later one. Before 1.15.0 the network has no Helicon by default. */
  readonly version?: string;
  /** Dialect or release by node (1-based). */
  readonly overrides?: ReadonlyArray<{
    readonly node: number;
    readonly dialect?: SimulatedDialect;
    readonly version?: string;
  }>;
  readonly network?: { readonly id: number; readonly name: string };
  /** Whether to simulate the Data API and the Metrics API, default false. */
  readonly hosted?: boolean;
  /** Active from the start. Several entries for one node are combined; later ones override earlier ones. */
  readonly scenario?: ScenarioName | ReadonlyArray<{ readonly node: number | "all"; readonly name: ScenarioName }>;
  /** Simulated seconds per real second, default 1. */
  readonly speed?: number;
  /** The real clock, milliseconds since the epoch. */
  readonly now?: () => number;
  readonly host?: string;
  /** Port of the first node; node i (0-based) has port + i. 0 (default) selects free ports. */
  readonly port?: number;
  readonly seed?: number;
  /** Leaves out special cases among the validators that are not nodes and among the validations of the L1, default false. */
  readonly tidy?: boolean;
  /**
   * Unix seconds of the Helicon upgrade, default five days before the start; 9999-12-01 (not scheduled) with an older release, and with
   * a scenario of an upgrade, which schedules it.
   */
  readonly heliconTime?: number;
  /** Seconds from the change until the upgrade that a scenario schedules, default 3600. */
  readonly upgradeLead?: number;
  /** Whether a chain stands still for everybody while less than 80 % of its weight is connected and runs it, default false. */
  readonly quorum?: boolean;
  /** Whether all validators have the same stake with delegations, default false. */
  readonly equalStakes?: boolean;
  /** Whether the permissioned subnet is a second L1, of equal validators, without the first three nodes; default false. */
  readonly secondL1?: boolean;
  /** Length of every staking period in seconds, of which a twentieth is over at the start; default 90 to 360 days. */
  readonly stakeSeconds?: number;
  /** Delay of the scenario "slow" in real seconds, default 3. */
  readonly slowSeconds?: number;
};

/** Unix seconds of 9999-12-01: means "not scheduled". */
export const UNSCHEDULED = 253_399_622_400;

const DEFAULTS = {
  nodes: 5,
  peersPerNode: Number.POSITIVE_INFINITY,
  delegators: 3,
  network: { id: 12345, name: "local" },
  version: "1.15.0",
  seed: 1,
  tidy: false,
  upgradeLead: 3600,
  quorum: false,
  equalStakes: false,
  secondL1: false,
};

/** What the network is made of: the options with all defaults. */
export type SimulatorSettings = Required<
  Pick<SimulatorOptions, keyof typeof DEFAULTS | "validators" | "heliconTime">
> & {
  readonly stakeSeconds?: number;
  /** Time at which simulated and real time are equal: Unix milliseconds, whole seconds. */
  readonly start: number;
  readonly dialects: ReadonlyArray<SimulatedDialect>;
  readonly versions: ReadonlyArray<string>;
};

/** Blocks of a month from before it, and stakes whose periods began before it, are as on mainnet. Seconds. */
const HELICON_AGE = 5 * 86_400;

/** Whether a scenario of the options schedules an upgrade. */
function schedules({ scenario = [] }: SimulatorOptions): boolean {
  const names = typeof scenario === "string" ? [scenario] : scenario.map(({ name }) => name);
  return names.some((name) => behaviourOf([name]).upgrade !== "none");
}

/** @param start time of the real clock, Unix milliseconds */
export function settle(options: SimulatorOptions, start: number): SimulatorSettings {
  const given = { ...DEFAULTS, ...options };
  const override = (i: number) => options.overrides?.find(({ node }) => node === i + 1);
  const ofEach = <A>(make: (i: number) => A): readonly A[] => Array.from({ length: given.nodes }, (_, i) => make(i));
  return {
    ...given,
    validators: options.validators ?? Math.max(given.nodes, 12),
    start: Math.floor(start / 1000) * 1000,
    heliconTime:
      options.heliconTime ??
      (atLeast(given.version, "1.15.0") && !schedules(options) ? Math.floor(start / 1000) - HELICON_AGE : UNSCHEDULED),
    dialects: ofEach((i) => override(i)?.dialect ?? options.dialect ?? "avalanchego"),
    versions: ofEach((i) => override(i)?.version ?? given.version),
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
