import type { SimulatorOptions } from "../../../simulator/simulate.ts";

/** The simulated networks in which every alert is made to fire, and their exporters. Nodes are numbered from 1. */

export type Fleet = {
  readonly simulation: Omit<SimulatorOptions, "now">;
  /** Whether its subnets are configured. */
  readonly subnets?: boolean;
  /** Whether the owners of stakes are watched, with a limit. */
  readonly wallets?: boolean;
  /** A node that is polled over TLS, and the days until its certificate expires. */
  readonly certificate?: { readonly node: number; readonly days: number };
};

/** Seconds. */
const DAY = 86_400;

/** @param start unix seconds at which the simulation begins */
export const fleets = (start: number) =>
  ({
    // One kind of fault per node.
    alpha: {
      simulation: {
        seed: 11,
        nodes: 15,
        validators: 40,
        scenario: [
          { node: 1, name: "utxo-waiting" },
          { node: 1, name: "reward-address-changed" },
          { node: 3, name: "disk-filling" },
          { node: 4, name: "frozen-health" },
          { node: 6, name: "lagging" },
          { node: 7, name: "left-behind" },
          { node: 8, name: "few-peers" },
          { node: 9, name: "low-uptime" },
          { node: 9, name: "clock-ahead" },
          { node: 10, name: "edge-uptime" },
          { node: 11, name: "low-uptime" },
          { node: 11, name: "stake-ending" },
          { node: 12, name: "edge-uptime" },
          { node: 12, name: "stake-ending" },
          { node: 13, name: "near-sighted" },
          { node: 13, name: "stake-ends-soon" },
          { node: 14, name: "offline-validator" },
          { node: 15, name: "no-health" },
        ],
      },
    },
    // Few validators, many of them with faults, and their subnets. The second node's L1 validator is paid for three days.
    beta: {
      simulation: {
        seed: 12,
        nodes: 7,
        validators: 8,
        scenario: [
          { node: 1, name: "wallet-dry" },
          { node: 2, name: "benched" },
          { node: 3, name: "benched" },
          { node: 3, name: "drained-l1" },
          { node: 4, name: "offline-validator" },
          { node: 5, name: "offline-validator" },
          { node: 6, name: "drained-l1" },
          { node: 6, name: "wrong-chain" },
          { node: 7, name: "l1-balance-short" },
          { node: 7, name: "plugin-failed" },
        ],
      },
      subnets: true,
      wallets: true,
    },
    // An upgrade in an hour, of which the second node does not know.
    gamma: {
      simulation: {
        seed: 13,
        nodes: 2,
        validators: 8,
        scenario: [
          { node: 1, name: "upgrade-ahead" },
          { node: 2, name: "upgrade-unknown" },
          { node: 2, name: "left-behind" },
        ],
      },
    },
    // An upgrade in three days, for which the second node's release is too old.
    delta: {
      simulation: {
        seed: 14,
        nodes: 2,
        validators: 8,
        heliconTime: start + 3 * DAY,
        overrides: [{ node: 2, version: "1.13.5" }],
      },
    },
    // A public network that is stuck.
    fuji: {
      simulation: { seed: 15, nodes: 1, validators: 8, network: { id: 5, name: "fuji" }, scenario: "left-behind" },
    },
    // All nodes stop.
    dark: { simulation: { seed: 16, nodes: 2, validators: 8 } },
    // Faults that only some configurations detect.
    odd: {
      simulation: {
        seed: 17,
        nodes: 4,
        validators: 8,
        slowSeconds: 1.5,
        scenario: [
          { node: 2, name: "slow" },
          { node: 4, name: "bootstrapping" },
        ],
      },
    },
    // Another network starts at its address.
    swap: { simulation: { seed: 18, nodes: 1, validators: 8 } },
    // A stake that began after Helicon needs 90 %, but the node itself compares with 80 %. The first node's certificate expires soon.
    late: {
      simulation: {
        seed: 20,
        nodes: 2,
        validators: 8,
        heliconTime: start - 60 * DAY,
        overrides: [{ node: 1, version: "1.13.5" }],
        scenario: [{ node: 2, name: "edge-uptime" }],
      },
      certificate: { node: 1, days: 13 },
    },
    // Two exporters share it, but only one runs; the first node belongs to the other.
    pair: { simulation: { seed: 21, nodes: 3, validators: 8, scenario: [{ node: 1, name: "offline-validator" }] } },
    // No faults.
    calm: {
      simulation: { seed: 19, nodes: 3, validators: 20, tidy: true },
      subnets: true,
      wallets: true,
      certificate: { node: 1, days: 90 },
    },
  }) as const satisfies Readonly<Record<string, Fleet>>;

export type FleetName = keyof ReturnType<typeof fleets>;

/** Which exporter polls which networks. */
export const EXPORTERS = {
  fleet: ["alpha", "beta", "gamma", "delta", "fuji", "late"],
  blind: ["dark"],
  odd: ["odd", "swap"],
  part: ["pair"],
  calm: ["calm"],
} as const satisfies Readonly<Record<string, readonly FleetName[]>>;

export type ExporterName = keyof typeof EXPORTERS;

/** Flags of single exporters. */
export const FLAGS: Readonly<Partial<Record<ExporterName, readonly string[]>>> = {
  part: ["--shard.index=0", "--shard.total=2"],
};
