import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { placesOf, recordedSources, type Reads } from "../../config/read/recorded-sources.ts";
import { nodeSources, type Sources } from "../../config/read/sources.ts";

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

/** Files name others, which name no more: the main file, those of its nodes, their secrets. */
const MOST_ROUNDS = 5;

/**
 * Runs a load, which reads files at once, only on files whose mounts answer: a mount that hangs would stop polls, pages and signals.
 * What a load reads is known from the load alone, so it is repeated with the files that it named for the first time.
 * @param known files that the last load read
 */
export async function loadAhead<A>(
  load: (sources: Sources) => A,
  sources: Sources,
  known: readonly string[],
  unreachable: (paths: readonly string[]) => Promise<string | undefined> = unreachableFile,
): Promise<{ readonly loaded: A } | { readonly hung: string }> {
  const answering = new Set<string>();
  const wanted = new Set(known);
  const isAnswering = (path: string): boolean => {
    if (!answering.has(path)) wanted.add(path);
    return answering.has(path);
  };
  const careful: Sources = {
    ...sources,
    readFile(path) {
      if (isAnswering(path)) return sources.readFile(path);
      throw Object.assign(new Error("not looked at yet"), { code: "EAGAIN" });
    },
    glob: (pattern, cwd) => (isAnswering(folderOf(pattern, cwd)) ? sources.glob(pattern, cwd) : []),
  };
  for (let round = 0; ; round++) {
    const hung = await unreachable([...wanted]);
    if (hung !== undefined) return { hung };
    for (const path of wanted) answering.add(path);
    wanted.clear();
    const loaded = load(careful);
    if (wanted.size === 0 || round === MOST_ROUNDS) return { loaded };
  }
}

/** The folder in which files are looked for by a pattern. */
function folderOf(pattern: string, cwd: string): string {
  const fixed = pattern.split("/");
  const wild = fixed.findIndex((part) => /[*?[{]/.test(part));
  const folder = fixed.slice(0, wild < 0 ? -1 : wild).join("/");
  return isAbsolute(pattern) ? folder || "/" : join(cwd, folder);
}

/**
 * Reads the files of a load again and returns their digests of now. Symbolic links are followed, so that a swapped link of a
 * ConfigMap is a change of content. Rejects for a mount that does not answer, which is looked at once, and for no other file.
 */
export async function readAgain(reads: Reads): Promise<Reads> {
  const hung = await unreachableFile(placesOf(reads));
  if (hung !== undefined) throw new Error(`${hung} cannot be read: its file system does not answer`);
  const again = recordedSources(nodeSources({}));
  for (const [name, { folder }] of Object.entries(reads)) {
    try {
      if (folder === undefined) again.sources.readFile(name);
      else again.sources.glob(name, folder);
    } catch {
      // Recorded as a file that cannot be read.
    }
  }
  return again.reads();
}
