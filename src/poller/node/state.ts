import type { Config } from "../../config/config.ts";
import type { NodeTarget } from "./node-target.ts";

/** Nodes under one label, and what is known about them together. Times are Unix seconds. */
export type Network = {
  readonly name: string;
  /** In the order of the configuration. */
  members: readonly NodeTarget[];
  /** Name of the node that facts of the network are asked of; `undefined` while none can be asked. */
  reference: string | undefined;
  /** Highest last answer about the P-Chain's height. */
  highest: number;
  /** Whether there are answers that were not compared yet, and when the nodes were compared last. */
  changed: boolean;
  comparedAt: number;
};

/** What the poller knows of the nodes that it polls. */
export type State = {
  config: Config;
  /** By name, in the order of the configuration; auxiliary ones come last. */
  readonly targets: Map<string, NodeTarget>;
  networks: ReadonlyMap<string, Network>;
  /** Nodes that the last configuration has new questions for: what they are asked first is spread over a while. */
  joining: number;
};

/** The network of a node, once its label is known. */
export const networkOf = ({ networks }: State, { facts }: NodeTarget): Network | undefined =>
  networks.get(facts.network ?? "");

/** The node that facts of a network are asked of. */
export const referenceOf = ({ targets }: State, { reference }: Network): NodeTarget | undefined =>
  targets.get(reference ?? "");

/** Whether facts of its network are asked of this node. */
export const isReference = (state: State, target: NodeTarget): boolean =>
  networkOf(state, target)?.reference === target.config.name;

/** The networks that the nodes belong to, as far as that is known. What is known of a network that stays is kept. */
export function groupByNetwork(
  targets: Iterable<NodeTarget>,
  known: ReadonlyMap<string, Network>,
): ReadonlyMap<string, Network> {
  const members = new Map<string, NodeTarget[]>();
  for (const target of targets) {
    const { network } = target.facts;
    if (network === undefined) continue;
    const list = members.get(network);
    if (list === undefined) members.set(network, [target]);
    else list.push(target);
  }
  return new Map([...members].map(([name, list]) => [name, withMembers(known.get(name) ?? newNetwork(name), list)]));
}

function withMembers(network: Network, members: readonly NodeTarget[]): Network {
  network.members = members;
  return network;
}

function newNetwork(name: string): Network {
  return { name, members: [], reference: undefined, highest: 0, changed: false, comparedAt: 0 };
}
