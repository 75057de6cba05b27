import { distance } from "fastest-levenshtein";

/** Characters of a word that are read: a stranger can ask for a name of many kilobytes. */
const LONGEST = 100;

/** The candidate most similar to a mistyped word, or `undefined` when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = flatten(word);
  // A single letter has the same distance to every other letter.
  if (plain.length < 2) return undefined;
  const limit = Math.max(1, Math.floor(plain.length / 3));
  let best: string | undefined;
  let least = Math.min(limit, 3) + 1;
  for (const candidate of candidates) {
    const flat = flatten(candidate);
    // The difference in length is the least distance, and costs nothing.
    if (Math.abs(flat.length - plain.length) >= least) continue;
    const steps = editDistance(plain, flat);
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  // `peers` for `info.peers`.
  return best ?? candidates.find((candidate) => candidate.endsWith(`.${word}`));
}

/** Removes case and separators: `nodeId`, `node-id` and `node_id` are equal. */
function flatten(word: string): string {
  return word
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[-_. ]/g, "");
}

/** The Levenshtein distance of two words, where one swap of adjacent letters counts as one edit. */
function editDistance(from: string, to: string): number {
  let least = distance(from, to);
  for (let index = 1; index < from.length; index++) {
    const swapped = `${from.slice(0, index - 1)}${from.charAt(index)}${from.charAt(index - 1)}${from.slice(index + 1)}`;
    least = Math.min(least, distance(swapped, to) + 1);
  }
  return least;
}
