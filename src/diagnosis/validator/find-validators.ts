import { nearest } from "../../config/base/nearest.ts";
import type { ValidatorView } from "./validator-views.ts";

/** Suggestions for an unknown name. */
const MOST_SUGGESTIONS = 5;

/**
 * The validators that a text names: those with this node ID, else those of the polled node with this name, else those with this
 * configured name. Several networks can have the same node ID, and several validators the same configured name.
 */
export function findValidators(
  views: readonly ValidatorView[],
  text: string,
  network: string | undefined,
): readonly ValidatorView[] {
  const within = network === undefined ? views : views.filter((view) => view.network === network);
  const ways = [
    within.filter(({ nodeId }) => nodeId === text),
    within.filter(({ nodes }) => nodes.some(({ node }) => node === text)),
    within.filter(({ name }) => name === text),
  ];
  return ways.find((found) => found.length > 0) ?? [];
}

/** The names and node IDs that are most similar to a text, best first. */
export function nearestValidators(views: readonly ValidatorView[], text: string): readonly string[] {
  const names = new Set(views.flatMap(({ name, nodeId, nodes }) => [name, nodeId, ...nodes.map(({ node }) => node)]));
  const left = new Set([...names].filter((each) => each !== undefined));
  const found: string[] = [];
  const lower = text.toLowerCase();
  while (found.length < MOST_SUGGESTIONS) {
    const next = nearest(text, [...left]) ?? [...left].find((each) => contains(each.toLowerCase(), lower));
    if (next === undefined) break;
    found.push(next);
    left.delete(next);
  }
  return found;
}

/** A part of at least three characters, as the beginning of a node ID. */
function contains(name: string, part: string): boolean {
  return part.length >= 3 && name.includes(part);
}
