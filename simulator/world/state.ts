import type { ChainName } from "./genesis.ts";
import { heightOf, networkHeight } from "./heights.ts";
import { rosterAt, segmentAt, type Network } from "./network.ts";
import type { ScenarioName } from "./scenarios.ts";

/** State of the network, for tests. Weights and balances in nAVAX, times in Unix seconds. */
export type NetworkState = {
  readonly time: number;
  readonly heights: Readonly<Record<ChainName, number>>;
  readonly validators: ReadonlyArray<{
    readonly nodeId: string;
    readonly weight: bigint;
    readonly delegatorWeight: bigint;
    readonly delegators: number;
    readonly endTime: number;
  }>;
  readonly nodes: ReadonlyArray<{
    readonly name: string;
    readonly nodeId: string;
    readonly scenarios: ReadonlyArray<ScenarioName>;
    readonly since: number;
    readonly heights: Readonly<Record<ChainName, number>>;
  }>;
  readonly l1: ReadonlyArray<{ readonly validationId: string; readonly nodeId: string }>;
};

const byChain = (height: (chain: ChainName) => number): Record<ChainName, number> => ({
  P: height("P"),
  X: height("X"),
  C: height("C"),
  perm1: height("perm1"),
  l1one: height("l1one"),
});

/** @param at simulated Unix milliseconds */
export function stateAt(network: Network, at: number): NetworkState {
  const { world } = network;
  const roster = rosterAt(network, at);
  return {
    time: at / 1000,
    heights: byChain((chain) => networkHeight(network, chain, at)),
    validators: roster.validators.map(({ nodeId, weight, delegated, delegators, stake }) => ({
      nodeId,
      weight: BigInt(weight),
      delegatorWeight: BigInt(delegated),
      delegators,
      endTime: stake.end,
    })),
    nodes: world.members.slice(0, world.settings.nodes).map(({ nodeId, index }) => {
      const { from, names } = segmentAt(network, index, at);
      return {
        name: nodeName(index),
        nodeId,
        scenarios: names,
        since: from / 1000,
        heights: byChain((chain) => heightOf(network, index, chain, at)),
      };
    }),
    l1: world.validations.map((validation) => ({
      validationId: validation.validationId,
      nodeId: world.members[validation.member]?.nodeId ?? "",
    })),
  };
}

export const nodeName = (index: number): string => `sim-${index + 1}`;
