import { isAbsolute, join } from "node:path";
import type { Sources } from "../../config/read/sources.ts";
import { unreachableFile } from "./unreachable-file.ts";

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
