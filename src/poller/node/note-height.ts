import { PlatformHeight } from "../../api/node/platform.ts";
import { doubtedHeight } from "../../topics/chains/doubted-height.ts";
import type { Store } from "../poll/store.ts";
import type { NodeTarget, PolledNetwork } from "./poller-state.ts";

const heightOf = (store: Store, { key }: NodeTarget, now: number): number | undefined =>
  store.get(key, PlatformHeight, now)?.value.height;

/**
 * Compares the height that a node has just answered with the highest one of its network, and records since when it is behind. A
 * height that is not believed is neither.
 */
export function noteHeight(store: Store, target: NodeTarget, network: PolledNetwork, now: number): void {
  const height = heightOf(store, target, now);
  if (height === undefined || network.doubted === target.config.name) return;
  target.behindSince = network.highest > height ? (target.behindSince ?? now) : undefined;
}

/**
 * The highest P-Chain height of a network's nodes, for each tick: that of a second node where there are three, because one would have all
 * others seem to be behind. A node whose height is not believed counts as behind, so that it is no reference node.
 */
export function highestAnswer(store: Store, network: PolledNetwork, now: number): number {
  const sightings = network.members.flatMap((target) => {
    const height = heightOf(store, target, now);
    if (height === undefined) return [];
    const { height: before } = target;
    const since = before?.height === height ? before.since : now;
    return [{ target, node: target.config.name, height, at: now, since, before, moves: hasMoved(before, height) }];
  });
  const wasDoubted = network.doubted;
  network.doubted = doubtedHeight(sightings, wasDoubted)?.node;
  const believed: number[] = [];
  for (const { target, node, height, at, since, moves } of sightings) {
    if (node === network.doubted) {
      target.behindSince = -Infinity;
      continue;
    }
    if (node === wasDoubted) target.behindSince = undefined;
    target.height = { height, at, since, moves };
    believed.push(height);
  }
  const [first = 0, second = first, third] = believed.toSorted((a, b) => b - a);
  return third === undefined ? first : second;
}

const hasMoved = (before: NodeTarget["height"], height: number): boolean =>
  before !== undefined && (before.moves || before.height < height);
