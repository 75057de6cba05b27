import { closeSync, constants, fstatSync, globSync, openSync, readFileSync } from "node:fs";

/** Maximum size of a configuration file or secret file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** The external inputs of loading a configuration. */
export type Sources = {
  /** @throws an error with a `code` such as `ENOENT` when the file cannot be read */
  readonly readFile: (path: string) => string;
  /** Files that match a pattern, relative to `cwd` or absolute, in any order. */
  readonly glob: (pattern: string, cwd: string) => readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Sources that read this machine's files and the given environment. */
export function nodeSources(env: Sources["env"]): Sources {
  return { env, readFile: readRegularFile, glob: (pattern, cwd) => globSync(pattern, { cwd }) };
}

/**
 * Reads a regular file. Opening or reading a pipe or a device can take for ever, and would stop the polls and the signals.
 * @throws an error with a `code`
 */
export function readRegularFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = fstatSync(file);
    const code = about.isDirectory() ? "EISDIR" : about.isFile() ? undefined : "EFTYPE";
    if (code !== undefined) throw Object.assign(new Error("not a regular file"), { code });
    // Checked first, so that a mistyped path to a huge file is not read into memory.
    if (about.size > MAX_FILE_BYTES) throw Object.assign(new Error("file too large"), { code: "EFBIG" });
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  EFTYPE: "it is not a regular file",
  EFBIG: "it is larger than 10 MB",
};

/** Why a file could not be read. The error's own message is not used, because it can contain file content. */
export function unreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS[code] ?? (/^E[A-Z]+$/.test(code) ? `system error ${code}` : "reading failed");
}
