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

/** The names and node IDs that are similar to a text, or contain at least three characters as it has them. */
export function nearestValidators(views: readonly ValidatorView[], text: string): readonly string[] {
  const names = views.flatMap(({ name, nodeId, nodes }) => [name ?? [], nodeId ?? [], nodes.map(({ node }) => node)]);
  const part = text.toLowerCase();
  return [...new Set(names.flat())]
    .filter((each) => nearest(text, [each]) === each || (part.length >= 3 && each.toLowerCase().includes(part)))
    .slice(0, MOST_SUGGESTIONS);
}
