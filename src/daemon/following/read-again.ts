import { unreachableFile } from "./unreachable-file.ts";
import { glob, readFile, stat } from "node:fs/promises";
import { digestOf, UNREADABLE, type Glob, type Reads } from "../../config/read/recorded-sources.ts";
import { MAX_FILE_BYTES } from "../../config/read/sources.ts";

/**
 * Reads the files of a load again and returns their digests of now. Symbolic links are followed, so that a swapped link of a
 * ConfigMap is a change of content. Rejects for a mount that does not answer, which is looked at once, and for no other file.
 */
export async function readAgain({ files, globs }: Reads): Promise<Reads> {
  const hung = await unreachableFile([...Object.keys(files), ...globs.map(({ cwd }) => cwd)]);
  if (hung !== undefined) throw new Error(`${hung} cannot be read: its file system does not answer`);
  const digests: Array<readonly [string, string]> = [];
  // One after the other: a thousand secret files must not take the threads that resolve names for the polls.
  for (const [path, before] of Object.entries(files)) digests.push([path, await digestNow(path, before)]);
  return { files: Object.fromEntries(digests), globs: await Promise.all(globs.map(matchesNow)) };
}

async function digestNow(path: string, before: string): Promise<string> {
  try {
    const about = await stat(path);
    // A pipe (`<(…)`) has its content once, and a device can have no end: they are not followed.
    if (!about.isFile() && !about.isDirectory()) return before;
    if (about.isDirectory() || about.size > MAX_FILE_BYTES) return UNREADABLE;
    return digestOf(await readFile(path, "utf8"));
  } catch {
    return UNREADABLE;
  }
}

async function matchesNow({ pattern, cwd }: Glob): Promise<Glob> {
  const matches: string[] = [];
  for await (const match of glob(pattern, { cwd })) matches.push(match);
  return { pattern, cwd, matches: matches.sort() };
}
