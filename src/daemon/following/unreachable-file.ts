import { stat } from "node:fs/promises";
import { setTimeout as after } from "node:timers/promises";

/** Looks that have not ended: a second look at a file of a hung mount would take another thread of the process for ever. */
const open = new Map<string, Promise<unknown>>();

/**
 * The first file whose mount does not answer in time, `undefined` when all do. A load reads files at once, which would stop polls,
 * pages and signals for as long as the mount hangs.
 * @param ms for all of them
 */
export async function unreachableFile(
  paths: readonly string[],
  ms = 5_000,
  look: (path: string) => Promise<unknown> = stat,
): Promise<string | undefined> {
  const late = after(ms, true, { ref: false });
  for (const path of paths) {
    const looking = open.get(path) ?? look(path).then(noted, noted);
    open.set(path, looking);
    const isLate = await Promise.race([looking.then(() => false), late]);
    if (isLate) return path;
    open.delete(path);
  }
  return undefined;
}

const noted = (): void => undefined;
