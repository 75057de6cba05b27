import { isSubnetChain, type ChainName } from "./genesis.ts";
import { CHAINS } from "./heights.ts";
import { behaviourAt } from "./network.ts";
import { HANGS, NOT_BOOTSTRAPPED, NOT_FOUND, type SimulatedReply, type View } from "./wire.ts";

/** Chains of a node, with their names and paths. */

const ALIASES: Readonly<Record<string, ChainName>> = { P: "P", platform: "P", X: "X", avm: "X", C: "C", evm: "C" };

/** The chain of this network with an alias or blockchain ID, whether or not the node tracks it. */
export function namedChain(view: View, name: string): ChainName | undefined {
  const { chainIds } = view.network.world;
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name];
  return CHAINS.find((chain) => chainIds[chain] === name);
}

/** `missing`: there is no route; `syncing`: the route rejects calls. */
export function chainState(view: View, chain: ChainName): "running" | "syncing" | "missing" {
  const { bootstrapping, pluginFailed } = behaviourAt(view.network, view.index, view.at);
  if (bootstrapping) return chain === "P" ? "syncing" : "missing";
  return pluginFailed && isSubnetChain(chain) ? "missing" : "running";
}

/**
 * Parses `/ext/bc/<chain>/<rest>` and the short form `/ext/<alias>/<rest>`; `rest` may be empty. `undefined` if the path is not of a
 * chain of this network.
 */
export function chainRoute(view: View, path: string): { readonly chain: ChainName; readonly rest: string } | undefined {
  const match = /^\/ext\/(bc\/)?([^/]+)(\/.*)?$/.exec(path);
  if (match === null) return undefined;
  const [, long, name = "", rest = ""] = match;
  const chain = long === undefined && !Object.hasOwn(ALIASES, name) ? undefined : namedChain(view, name);
  return chain === undefined ? undefined : { chain, rest };
}

/** The reply of all routes of a chain that is not served: 404 before it exists, 503 until it has bootstrapped, none if its VM hangs. */
export function gate(view: View, chain: ChainName): SimulatedReply | undefined {
  if (chain === "l1one" && behaviourAt(view.network, view.index, view.at).pluginHung) return HANGS;
  const state = chainState(view, chain);
  return state === "missing" ? NOT_FOUND : state === "syncing" ? NOT_BOOTSTRAPPED : undefined;
}
