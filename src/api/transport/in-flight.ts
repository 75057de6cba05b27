/** Begins an answer. `refuse` is called when the answers under way have too many bytes together, and this one has most. */
export type InFlight = (refuse: () => void) => {
  /** Counts received bytes. */
  readonly add: (bytes: number) => void;
  /** The answer is complete, or given up. */
  readonly end: () => void;
};

/** Bytes that the answers under way may have together: a node could send one of the largest size for each of its endpoints. */
export const MOST_IN_FLIGHT = 128 * 1024 * 1024;

/** One budget of bytes for all answers that the process receives at a time. Beyond it the largest one is refused. */
export function createInFlight(most = MOST_IN_FLIGHT): InFlight {
  /** Not a set: of each answer that had been in one, V8 13 kept 4 kB until it collected the whole heap. */
  const underWay: Array<{ bytes: number; readonly refuse: () => void }> = [];
  let sum = 0;
  return (refuse) => {
    const entry = { bytes: 0, refuse };
    underWay.push(entry);
    return {
      add(bytes) {
        entry.bytes += bytes;
        sum += bytes;
        if (sum <= most) return;
        let largest = entry;
        for (const each of underWay) if (each.bytes > largest.bytes) largest = each;
        largest.refuse();
      },
      end() {
        const at = underWay.indexOf(entry);
        if (at < 0) return;
        underWay.splice(at, 1);
        sum -= entry.bytes;
      },
    };
  };
}
