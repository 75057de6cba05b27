import { blockMs, genesisMs, type ChainName } from "./genesis.ts";
import { behaviourAt, heldSince, type Network } from "./network.ts";
import { delayed, haltedMs, haltsOf, MOST_UNEXECUTED, stoppedSince } from "./quorum.ts";

/** Heights of chains and times of blocks: pure functions of the history, also for past times. */

export const CHAINS: ReadonlyArray<ChainName> = ["P", "X", "C", "perm1", "l1one"];
const LAG_BLOCKS = 25;
const LEFT_BEFORE_MS = 600_000;
/** Duration of the execution of a block by a slow executor. */
export const SLOW_BLOCK_MS = 5_000;

/** Time of a block, Unix seconds: whole ones, also after the chain stood still for part of one. */
export function blockSeconds(network: Network, chain: ChainName, height: number): number {
  return Math.floor(delayed(haltsOf(network, chain), genesisMs(network.world) + height * blockMs(chain)) / 1000);
}

/** Height of a chain in the network. */
export function networkHeight(network: Network, chain: ChainName, at: number): number {
  const age = at - haltedMs(haltsOf(network, chain), at) - genesisMs(network.world);
  return Math.max(0, Math.floor(age / blockMs(chain)));
}

/** Height of the last accepted block of a node on a chain. */
export function heightOf(network: Network, index: number, chain: ChainName, at: number): number {
  const behaviour = behaviourAt(network, index, at);
  if (behaviour.bootstrapping) return 0;
  const since = stoppedSince(network, index, chain, at);
  if (since === undefined) {
    const height = networkHeight(network, chain, at);
    if (behaviour.executor === "slow" && chain === "C")
      return Math.min(height, reachedBySlow(network, index, at) + MOST_UNEXECUTED);
    return behaviour.chains === "lagging" ? Math.max(0, height - LAG_BLOCKS) : height;
  }
  // A node that stands from the start of the simulation is already behind then.
  const before = behaviour.chains === "standing" && since === network.world.settings.start ? LEFT_BEFORE_MS : 0;
  return networkHeight(network, chain, Math.min(since, at) - before);
}

/** Height that a slow executor has reached. */
function reachedBySlow(network: Network, index: number, at: number): number {
  const since = heldSince(network, index, at, "executor");
  return networkHeight(network, "C", since) + Math.floor((at - since) / SLOW_BLOCK_MS);
}

/** Height of the last block of C that a node has executed, on the engine of Helicon. */
export function executedHeight(network: Network, index: number, at: number): number {
  const accepted = heightOf(network, index, "C", at);
  const { executor } = behaviourAt(network, index, at);
  if (executor === "slow") return Math.min(accepted, reachedBySlow(network, index, at));
  if (executor === "prompt") return accepted;
  return Math.min(accepted, networkHeight(network, "C", heldSince(network, index, at, "executor")));
}

/** The name under which the blocks of a node are hashed: a forked node has others from its fork on. */
export function historyOf(network: Network, index: number, chain: ChainName, height: number, at: number): string {
  const isForked =
    chain === "C" &&
    behaviourAt(network, index, at).forked &&
    height > networkHeight(network, chain, heldSince(network, index, at, "forked"));
  return isForked ? `${chain} of ${index}` : chain;
}
