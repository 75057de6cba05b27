import { createHash } from "node:crypto";
import { MAX_FILE_BYTES, type Sources } from "./sources.ts";

/** What a load read from the file system: each file by its path, and each pattern. */
export type Reads = Readonly<Record<string, Read>>;

export type Read = {
  /** Of the file's content, or the names of the files that match the pattern. */
  readonly digest: string;
  /** The folder in which a pattern was looked for; absent for a file. */
  readonly folder?: string;
};

/** The digest of a file that cannot be read. */
export const UNREADABLE = "";

/** Sources that record what is read through them, also when reading fails. `reads` returns the record so far. */
export function recordedSources(sources: Sources): { readonly sources: Sources; readonly reads: () => Reads } {
  const reads: Record<string, Read> = {};
  return {
    sources: {
      ...sources,
      readFile(path) {
        reads[path] = { digest: UNREADABLE };
        const text = sources.readFile(path);
        reads[path] = { digest: digestOf(text) };
        return text;
      },
      glob(pattern, folder) {
        const matches = sources.glob(pattern, folder);
        reads[pattern] = { digest: [...matches].sort().join("\n"), folder };
        return matches;
      },
    },
    reads: () => ({ ...reads }),
  };
}

/** Of a text above the limit of files it is that of a file that cannot be read. */
function digestOf(text: string): string {
  if (text.length > MAX_FILE_BYTES) return UNREADABLE;
  return createHash("sha256").update(text).digest("base64");
}

/** The places on whose mounts the reads depend. */
export function placesOf(reads: Reads): readonly string[] {
  return Object.entries(reads).map(([name, { folder }]) => folder ?? name);
}

/** The files and patterns whose content or matches differ; empty when nothing changed. */
export function differences(before: Reads, after: Reads): readonly string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name]?.digest !== after[name]?.digest);
}
