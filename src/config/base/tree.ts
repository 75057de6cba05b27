import type { Problem } from "./problem.ts";

/** The location of a value: keys and list indexes from the root. */
export type Path = ReadonlyArray<string | number>;

export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** The source position of one value. */
type Entry = {
  readonly key?: Place | undefined;
  readonly value: Place;
  /** The text before variables were expanded. Messages show only this form. */
  readonly written?: string | undefined;
};

/**
 * The positions of values and the problems found while reading a configuration. Mutable, because every stage adds problems,
 * and later stages skip values for which an earlier stage reported one.
 */
export type Findings = {
  readonly entries: Map<string, Entry>;
  readonly problems: Problem[];
  readonly warnings: Problem[];
  /** Paths of values that have a problem. */
  readonly complained: Set<string>;
  /** Files with invalid YAML, with the first line that is unreliable. */
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

/** Adds a problem at the value or key at `path`; a missing value is reported at its parent. */
export function complain(findings: Findings, path: Path, message: string, at: "key" | "value" = "value"): void {
  findings.problems.push({ ...placeOf(findings, path, at), message });
  // The value of a misnamed key can be valid.
  if (at === "value") findings.complained.add(pathKey(path));
}

/** Adds a warning about the value at `path`. */
export function warn(findings: Findings, path: Path, message: string): void {
  findings.warnings.push({ ...placeOf(findings, path, "value"), message });
}

/** The position of the value or key at `path`, or of its nearest ancestor. */
export function placeOf(findings: Findings, path: Path, at: "key" | "value" = "value"): Place {
  for (let length = path.length; length >= 0; length--) {
    const entry = findings.entries.get(pathKey(path.slice(0, length)));
    if (entry !== undefined) return length === path.length && at === "key" ? (entry.key ?? entry.value) : entry.value;
  }
  return { file: "", line: 1, column: 1 };
}

/** Whether the value at `path` or one of its ancestors has a problem. */
export function isComplained(findings: Findings, path: Path): boolean {
  if (findings.complained.size === 0) return false;
  return path.some((_, index) => findings.complained.has(pathKey(path.slice(0, index + 1))));
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return typeof part === "number" ? (value as unknown[])[part] : undefined;
    return isRecord(value) ? value[part] : undefined;
  }, root);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Copies the positions and the problem marks of the value at `from` to `to`. */
export function copyEntries(findings: Findings, from: Path, to: Path, value: unknown): void {
  const entry = findings.entries.get(pathKey(from));
  if (entry !== undefined) findings.entries.set(pathKey(to), entry);
  if (findings.complained.has(pathKey(from))) findings.complained.add(pathKey(to));
  const children = Array.isArray(value) ? [...value.keys()] : isRecord(value) ? Object.keys(value) : [];
  for (const child of children)
    copyEntries(findings, [...from, child], [...to, child], (value as Record<string | number, unknown>)[child]);
}

/** Problems without duplicates, sorted by file in the order of `files`, line and column. */
export function inOrder(problems: readonly Problem[], files: readonly string[]): Problem[] {
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      (a.message < b.message ? -1 : 1),
  );
}

/** The problems to report, sorted. Those after the first YAML error of a file are omitted, because values there are unreliable. */
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
