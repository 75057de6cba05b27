import { isMap, isNode, isScalar, isSeq, type Alias, type Node } from "yaml";
import type { ConfigProblem } from "./problem.ts";

/** The location of a value: keys and list indexes from the root. */
export type Path = ReadonlyArray<string | number>;

export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number };

/** A parsed file. */
export type ParsedFile = {
  readonly root: Node | null;
  /** What aliases stand for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** The position of a node, or of an offset. */
  readonly placeOf: (at: Node | number | null | undefined) => SourcePlace;
};

/**
 * The files of a configuration and the problems in it. Mutable, because every stage adds problems, and later stages skip values for
 * which an earlier stage reported one.
 */
export type Findings = {
  /** The main file; `undefined` when it cannot be read. */
  source: ParsedFile | undefined;
  /** The nodes of other files, by their index in `nodes`. */
  readonly moved: Map<
    number,
    {
      readonly source: ParsedFile;
      readonly index: number;
    }
  >;
  readonly problems: ConfigProblem[];
  /** Problems of whole files: those that cannot be read, and invalid YAML. */
  readonly syntax: ConfigProblem[];
  readonly warnings: ConfigProblem[];
  /** Nodes of YAML that have a problem. */
  readonly complained: Set<unknown>;
  /** Files with invalid YAML, with the first line that is unreliable. */
  readonly broken: Map<string, number>;
  /** Every file read; the main file is the first. */
  readonly files: string[];
};

export function newFindings(): Findings {
  return {
    source: undefined as ParsedFile | undefined,
    moved: new Map<number, { readonly source: ParsedFile; readonly index: number }>(),
    problems: [] as ConfigProblem[],
    syntax: [] as ConfigProblem[],
    warnings: [] as ConfigProblem[],
    complained: new Set<unknown>(),
    broken: new Map<string, number>(),
    files: [] as string[],
  };
}

/** Adds a problem at the value or key at `path`; a missing value is reported at its parent. */
export function complain(findings: Findings, path: Path, message: string, at: "key" | "value" = "value"): void {
  findings.problems.push({ ...placeOf(findings, path, at), message });
  // The value of a misnamed key can be valid.
  const { steps, isWhole } = stepsTo(findings, path);
  if (at === "value" && isWhole) findings.complained.add(steps.at(-1)?.value);
}

/** Adds a warning about the value at `path`. */
export function warn(findings: Findings, path: Path, message: string): void {
  findings.warnings.push({ ...placeOf(findings, path), message });
}

/** The position of the value or key at `path`, or of its nearest ancestor. An empty value has that of its key. */
export function placeOf(findings: Findings, path: Path, at: "key" | "value" = "value"): SourcePlace {
  const { source, steps, isWhole } = stepsTo(findings, path);
  const { key, value } = steps.at(-1) ?? {};
  const isEmpty = !isNode(value) || (isScalar(value) && value.value === null);
  const node = key !== undefined && (isEmpty || (at === "key" && isWhole)) ? key : value;
  return source?.placeOf(isNode(node) ? node : null) ?? { file: findings.files[0] ?? "", line: 1, column: 1 };
}

/** The text at `path` as its file has it, before variables were expanded. Messages show only this form. */
export function writtenAt(findings: Findings, path: Path): string | undefined {
  const { steps, isWhole } = stepsTo(findings, path);
  const node = steps.at(-1)?.value;
  return isWhole && isScalar(node) ? node.source : undefined;
}

/** Whether the value at `path` or one of its ancestors has a problem. */
export function isComplained(findings: Findings, path: Path): boolean {
  return (
    findings.complained.size > 0 && stepsTo(findings, path).steps.some(({ value }) => findings.complained.has(value))
  );
}

type Step = { readonly key?: unknown; readonly value: unknown };

/** The keys and values from the root to a path, as far as the file has them. `isWhole`: it has them all. */
function stepsTo(findings: Findings, path: Path) {
  const [section, index, ...rest] = path;
  const moved = section === "nodes" && typeof index === "number" ? findings.moved.get(index) : undefined;
  const source = moved?.source ?? findings.source;
  const local = moved === undefined ? path : [moved.index, ...rest];
  const steps: Step[] = [{ value: source?.root }];
  for (const part of local) {
    const next = source && stepTo(source, steps.at(-1)?.value, part);
    if (next === undefined) break;
    steps.push(next);
  }
  return { source, steps, isWhole: steps.length === local.length + 1 };
}

/** The key and value of a part of a node; for a key that the mapping lacks, those of a mapping that `<<` merges into it. */
function stepTo(source: ParsedFile, node: unknown, part: string | number): Step | undefined {
  const at = source.targets.get(node as Alias) ?? node;
  if (isSeq(at)) return typeof part === "number" && part in at.items ? { value: at.items[part] } : undefined;
  if (!isMap(at)) return undefined;
  const own = at.items.findLast(({ key }) => isScalar(key) && String(key.value) === part);
  if (own !== undefined) return own;
  for (const { key, value } of at.items) {
    if (!isScalar(key) || key.source !== "<<") continue;
    for (const merged of isSeq(value) ? value.items : [value]) {
      const found = stepTo(source, merged, part);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string | number, unknown>)[part]
        : undefined,
    root,
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Problems without duplicates, sorted by file in the order of `files`, line and column. */
export function inOrder(problems: readonly ConfigProblem[], files: readonly string[]): ConfigProblem[] {
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
export function trusted({ problems, syntax, broken, files }: Findings): readonly ConfigProblem[] {
  const reliable = problems.filter(({ file, line }) => line < (broken.get(file) ?? Infinity));
  return inOrder([...syntax, ...reliable], files);
}
