import { glob, readFile, stat } from "node:fs/promises";
import { unreachableFile } from "./unreachable-file.ts";
import {
  digestOf,
  matchesDigest,
  placesOf,
  UNREADABLE,
  type Read,
  type Reads,
} from "../../config/read/recorded-sources.ts";
import { MAX_FILE_BYTES } from "../../config/read/sources.ts";

/**
 * Reads the files of a load again and returns their digests of now. Symbolic links are followed, so that a swapped link of a
 * ConfigMap is a change of content. Rejects for a mount that does not answer, which is looked at once, and for no other file.
 */
export async function readAgain(reads: Reads): Promise<Reads> {
  const hung = await unreachableFile(placesOf(reads));
  if (hung !== undefined) throw new Error(`${hung} cannot be read: its file system does not answer`);
  const now: Record<string, Read> = {};
  // One after the other: a thousand secret files must not take the threads that resolve names for the polls.
  for (const [name, read] of Object.entries(reads)) now[name] = { ...read, digest: await digestNow(name, read) };
  return now;
}

async function digestNow(name: string, { digest, folder }: Read): Promise<string> {
  if (folder !== undefined) {
    const matches: string[] = [];
    for await (const match of glob(name, { cwd: folder })) matches.push(match);
    return matchesDigest(matches);
  }
  try {
    const about = await stat(name);
    // A pipe (`<(…)`) has its content once, and a device can have no end: they are not followed.
    if (!about.isFile() && !about.isDirectory()) return digest;
    if (about.isDirectory() || about.size > MAX_FILE_BYTES) return UNREADABLE;
    return digestOf(await readFile(name, "utf8"));
  } catch {
    return UNREADABLE;
  }
}
