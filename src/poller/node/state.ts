import type { Config } from "../../config/config.ts";
import type { NodeTarget } from "./node-target.ts";

/** The nodes with one label `network`, and their common state. Times are Unix seconds. */
export type Network = {
  readonly name: string;
  /** In the order of the configuration. */
  members: readonly NodeTarget[];
  /** Name of the reference node; `undefined` while there is none. */
  reference: string | undefined;
  /** Highest P-Chain height among the nodes' last answers. */
  highest: number;
  /** Whether answers have not been compared yet, and when the nodes were compared last. */
  changed: boolean;
  comparedAt: number;
};

/** The poller's configuration, nodes and networks. */
export type State = {
  /** `undefined` until one is applied; there are no targets before. */
  config: Config | undefined;
  /** By name, in the order of the configuration; auxiliary ones come last. */
  readonly targets: Map<string, NodeTarget>;
  networks: ReadonlyMap<string, Network>;
  /** Number of nodes with new polls after the last configuration; their first polls are spread over time. */
  joining: number;
};

/** The applied configuration. @throws before one is applied */
export function configOf({ config }: State): Config {
  if (config === undefined) throw new Error("no configuration is applied yet");
  return config;
}

/** The network of a node, once its label is known. */
export const networkOf = ({ networks }: State, { facts }: NodeTarget): Network | undefined =>
  networks.get(facts.network ?? "");

/** The reference node of a network. */
export const referenceOf = ({ targets }: State, { reference }: Network): NodeTarget | undefined =>
  targets.get(reference ?? "");

/** Whether a node is the reference node of its network. */
export const isReference = (state: State, target: NodeTarget): boolean =>
  networkOf(state, target)?.reference === target.config.name;

/** Groups nodes by network; nodes of an unknown network are left out. A known network keeps its state. */
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
  return new Map(
    [...members].map(([name, list]) => [name, Object.assign(known.get(name) ?? newNetwork(name), { members: list })]),
  );
}

function newNetwork(name: string): Network {
  return { name, members: [], reference: undefined, highest: 0, changed: false, comparedAt: 0 };
}
