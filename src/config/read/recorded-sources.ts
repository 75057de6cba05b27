import { createHash } from "node:crypto";
import { MAX_FILE_BYTES, type Sources } from "./sources.ts";

/** What a load read from the file system: plain data, which can be passed to another thread and compared with a later look. */
export type Reads = {
  /** Digest of each file's content by its path; `UNREADABLE` when it could not be read. */
  readonly files: Readonly<Record<string, string>>;
  readonly globs: readonly Glob[];
};

/** A pattern and the files that matched it, sorted. */
export type Glob = { readonly pattern: string; readonly cwd: string; readonly matches: readonly string[] };

export const UNREADABLE = "";

/** Sources that record what is read through them, also when reading fails. `reads` returns the record so far. */
export function recordedSources(sources: Sources): { readonly sources: Sources; readonly reads: () => Reads } {
  const files = new Map<string, string>();
  const globs: Glob[] = [];
  return {
    sources: {
      ...sources,
      readFile(path) {
        files.set(path, UNREADABLE);
        const text = sources.readFile(path);
        files.set(path, digestOf(text));
        return text;
      },
      glob(pattern, cwd) {
        const matches = sources.glob(pattern, cwd);
        globs.push({ pattern, cwd, matches: [...matches].sort() });
        return matches;
      },
    },
    reads: () => ({ files: Object.fromEntries(files), globs: [...globs] }),
  };
}

/** Of a text above the limit of files it is that of a file that cannot be read. */
export function digestOf(text: string): string {
  if (text.length > MAX_FILE_BYTES) return UNREADABLE;
  return createHash("sha256").update(text).digest("base64");
}

/** The files and patterns whose content or matches differ; empty when nothing changed. */
export function differences(before: Reads, after: Reads): readonly string[] {
  const names = new Set([...Object.keys(before.files), ...Object.keys(after.files)]);
  const files = [...names].filter((name) => before.files[name] !== after.files[name]);
  const keyed = (globs: readonly Glob[]) => new Map(globs.map((glob) => [glob.pattern, JSON.stringify(glob)]));
  const [old, now] = [keyed(before.globs), keyed(after.globs)];
  const globs = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  return [...files, ...globs];
}
