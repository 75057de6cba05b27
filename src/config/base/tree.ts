import type { Problem } from "./problem.ts";

/** Where a value stands in the configuration: keys and list indexes from the top. */
export type Path = ReadonlyArray<string | number>;

export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** What is known about one value beside the value itself. */
export type Entry = {
  readonly key?: Place | undefined;
  readonly value: Place;
  /** A string as it was written, before variables were put in: the only form that a message may show. */
  readonly written?: string | undefined;
};

/**
 * What reading one configuration gathers: values' positions and everything found wrong so far. Passed along and filled, because
 * every stage adds problems and later stages keep quiet about values that an earlier one complained of.
 */
export type Findings = {
  readonly entries: Map<string, Entry>;
  readonly problems: Problem[];
  readonly warnings: Problem[];
  /** Paths that have a problem already. */
  readonly complained: Set<string>;
  /** Files whose YAML does not parse, with the first line that is unsure. */
  readonly broken: Map<string, number>;
  /** Every file read. */
  readonly files: string[];
};

export function newFindings(): Findings {
  return { entries: new Map(), problems: [], warnings: [], complained: new Set(), broken: new Map(), files: [] };
}

export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** Adds a problem about the value at `path` (about its key where `at` says so); a missing value is reported at its parent. */
export function complain(findings: Findings, path: Path, message: string, at: "key" | "value" = "value"): void {
  findings.problems.push({ ...placeOf(findings, path, at), message });
  // A key of the wrong name says nothing about its value.
  if (at === "value") findings.complained.add(pathKey(path));
}

/** Adds a warning about the value at `path`. */
export function warn(findings: Findings, path: Path, message: string): void {
  findings.warnings.push({ ...placeOf(findings, path, "value"), message });
}

/** The position of the value or key at `path`, or of the nearest thing around it. */
export function placeOf(findings: Findings, path: Path, at: "key" | "value" = "value"): Place {
  for (let length = path.length; length >= 0; length--) {
    const entry = findings.entries.get(pathKey(path.slice(0, length)));
    if (entry !== undefined) return length === path.length && at === "key" ? (entry.key ?? entry.value) : entry.value;
  }
  return { file: "", line: 1, column: 1 };
}

/** True when the value at `path`, or something around it, has a problem already. */
export function isComplained(findings: Findings, path: Path): boolean {
  if (findings.complained.size === 0) return false;
  return path.some((_, index) => findings.complained.has(pathKey(path.slice(0, index + 1))));
}

/** The value at `path` of a plain tree, or `undefined`. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return typeof part === "number" ? (value as unknown[])[part] : undefined;
    return isRecord(value) ? value[part] : undefined;
  }, root);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Notes that the value at `from` stands at `to` as well: positions, and whether it has a problem already. */
export function copyEntries(findings: Findings, from: Path, to: Path, value: unknown): void {
  const entry = findings.entries.get(pathKey(from));
  if (entry !== undefined) findings.entries.set(pathKey(to), entry);
  if (findings.complained.has(pathKey(from))) findings.complained.add(pathKey(to));
  const children = Array.isArray(value) ? [...value.keys()] : isRecord(value) ? Object.keys(value) : [];
  for (const child of children)
    copyEntries(findings, [...from, child], [...to, child], (value as Record<string | number, unknown>)[child]);
}

/** Problems in reading order, each once; `files` gives the order of files. */
export function inOrder(problems: readonly Problem[], files: readonly string[]): Problem[] {
  const seen = new Set<string>();
  return [...problems]
    .sort(
      (a, b) =>
        files.indexOf(a.file) - files.indexOf(b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        (a.message < b.message ? -1 : 1),
    )
    .filter((problem) => {
      const key = JSON.stringify(problem);
      return !seen.has(key) && seen.add(key) !== undefined;
    });
}

/** Problems to show, in reading order. Where a file's YAML breaks off, what follows is guesswork and left out. */
export function trusted(findings: Findings): readonly Problem[] {
  const isTrusted = ({ file, line, message }: Problem): boolean => {
    const broken = findings.broken.get(file);
    return (
      broken === undefined ||
      line < broken ||
      message.startsWith("not valid YAML") ||
      message.startsWith("the file cannot")
    );
  };
  return inOrder(findings.problems.filter(isTrusted), findings.files);
}
