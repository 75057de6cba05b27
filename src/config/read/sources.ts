/** Everything that loading reads from outside, passed in. */
export type Sources = {
  /** Text of a file; throws an error with a `code` such as `ENOENT` when it cannot be read. */
  readonly readFile: (path: string) => string;
  /** Files that match a pattern, relative to `cwd` or absolute; order does not matter. */
  readonly glob: (pattern: string, cwd: string) => readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
};

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  EFBIG: "it is larger than 10 MB",
};

/** Why a file could not be read, in words; never the error's own text, which may repeat content. */
export function unreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS[code] ?? (/^E[A-Z]+$/.test(code) ? `the system says ${code}` : "reading failed");
}
