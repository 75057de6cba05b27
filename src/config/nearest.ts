/** The word that was probably meant, or `undefined` when none is near: for "did you mean …". */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = flatten(word);
  // One letter is as near to any other.
  if (plain.length < 2) return undefined;
  const limit = Math.max(1, Math.floor(plain.length / 3));
  let best: string | undefined;
  let least = Math.min(limit, 3) + 1;
  for (const candidate of candidates) {
    const steps = distance(plain, flatten(candidate), least);
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best ?? partial(word, candidates);
}

/** The one word that has all parts of this one (`ca`, `ca_file`), or the longest of which this one has all parts (`api_key`, `key`). */
function partial(word: string, candidates: readonly string[]): string | undefined {
  const parts = partsOf(word);
  const [least, ...others] = candidates
    .filter((candidate) => isWithin(parts, partsOf(candidate)))
    .sort((a, b) => a.length - b.length);
  if (least !== undefined) return others.every((each) => isWithin(partsOf(least), partsOf(each))) ? least : undefined;
  return candidates.filter((candidate) => isWithin(partsOf(candidate), parts)).sort((a, b) => b.length - a.length)[0];
}

function partsOf(word: string): readonly string[] {
  return word
    .toLowerCase()
    .slice(0, 64)
    .split(/[-_. ]/)
    .filter((part) => part !== "");
}

const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.length > 0 && some.every((part) => all.includes(part));

/** Spellings that differ in case and separators only (`nodeId`, `node-id`, `node_id`) are the same word. */
function flatten(word: string): string {
  return word
    .toLowerCase()
    .replace(/[-_. ]/g, "")
    .slice(0, 64);
}

/** Insertions, removals, replacements and swaps of neighbours from one word to the other; `limit` when there are more. */
function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let steps = Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) steps = Math.min(steps, (before[j - 2] ?? limit) + 1);
      row.push(steps);
    }
    before = previous;
    previous = row;
  }
  return previous[to.length] ?? limit;
}
