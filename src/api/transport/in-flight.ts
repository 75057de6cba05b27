export type InFlight = ReturnType<typeof createInFlight>;

/** Bytes that the answers under way may have together: a node could send one of the largest size for each of its endpoints. */
export const MOST_IN_FLIGHT = 128 * 1024 * 1024;

/** One budget of bytes for all answers that the process receives at a time. Beyond it the largest one is refused. */
export function createInFlight(most = MOST_IN_FLIGHT) {
  const underWay: Array<{ bytes: number; at: number; readonly refuse: () => void }> = [];
  let sum = 0;
  /** Begins an answer. `refuse` is called when the answers under way have too many bytes together, and this one has most. */
  return (refuse: () => void) => {
    const entry = { bytes: 0, at: underWay.length, refuse };
    underWay.push(entry);
    return {
      /** Counts received bytes. */
      add: (bytes: number): void => {
        entry.bytes += bytes;
        sum += bytes;
        if (sum <= most) return;
        let largest = entry;
        for (const each of underWay) if (each.bytes > largest.bytes) largest = each;
        largest.refuse();
      },
      /** The answer is complete, or given up. */
      end: (): void => {
        if (underWay[entry.at] !== entry) return;
        sum -= entry.bytes;
        // The last one takes its place. Of each answer that had been in a set, V8 13 kept 4 kB until it collected the whole heap.
        const last = underWay.pop();
        if (last === undefined || last === entry) return;
        last.at = entry.at;
        underWay[entry.at] = last;
      },
    };
  };
}
