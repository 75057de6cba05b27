import type { ChainName } from "./genesis.ts";
import { behaviourAt, CHAINS } from "./network.ts";
import { NOT_BOOTSTRAPPED, NOT_FOUND, type Reply, type View } from "./wire.ts";

/** Which chains a node has and under which names and paths. */

const ALIASES: Readonly<Record<string, ChainName>> = { P: "P", platform: "P", X: "X", avm: "X", C: "C", evm: "C" };

/** The chain that an alias or blockchain ID names in this network, tracked by the node or not. */
export function namedChain(view: View, name: string): ChainName | undefined {
  const { chainIds } = view.network.world;
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name];
  return CHAINS.find((chain) => chainIds[chain] === name);
}

/** `missing`: no such route yet or ever; `syncing`: it exists and rejects calls. */
export function chainState(view: View, chain: ChainName): "running" | "syncing" | "missing" {
  const { bootstrapping, pluginFailed } = behaviourAt(view.network, view.index, view.at);
  if (bootstrapping) return chain === "P" ? "syncing" : "missing";
  return pluginFailed && isSubnetChain(chain) ? "missing" : "running";
}

export const isSubnetChain = (chain: ChainName): chain is "perm1" | "l1one" => chain === "perm1" || chain === "l1one";

/**
 * Splits `/ext/bc/<chain>/<rest>` and the short form `/ext/<alias>/<rest>`: the chain and what follows ("" for the chain's own path).
 * Undefined when the path belongs to no chain of this network.
 */
export function chainRoute(view: View, path: string): { readonly chain: ChainName; readonly rest: string } | undefined {
  const match = /^\/ext\/(bc\/)?([^/]+)(\/.*)?$/.exec(path);
  if (match === null) return undefined;
  const [, long, name = "", rest = ""] = match;
  const chain = long === undefined && !Object.hasOwn(ALIASES, name) ? undefined : namedChain(view, name);
  return chain === undefined ? undefined : { chain, rest };
}

/** What a chain's routes answer while the chain is not served: 404 before it exists, 503 until it has bootstrapped. */
export function gate(view: View, chain: ChainName): Reply | undefined {
  const state = chainState(view, chain);
  return state === "missing" ? NOT_FOUND : state === "syncing" ? NOT_BOOTSTRAPPED : undefined;
}
