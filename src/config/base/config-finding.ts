import { isMap, isNode, isScalar, isSeq, type Alias, type LineCounter, type Node } from "yaml";
import type { ConfigProblem } from "./config-problem.ts";
import type { Path } from "./value-at.ts";

/** Why a part of a file cannot be used, at a node or an offset. */
export type Fault = { readonly at: Node | number | null; readonly message: string };

/** A parsed file: its values with variables expanded, and where they are. */
export type ParsedFile = {
  readonly file: string;
  readonly value: unknown;
  readonly root: Node | null;
  /** What aliases stand for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly lines: LineCounter;
  /** The first line whose values invalid YAML makes unreliable. */
  readonly brokenFrom: number;
  readonly syntax: readonly Fault[];
  /** Valid YAML that cannot be used. */
  readonly refused: readonly Fault[];
};

type Place = Omit<ConfigProblem, "message">;

/** The values of a configuration, and the files that have them. */
export type Tree = {
  readonly value: unknown;
  /** The main file is the first. */
  readonly files: readonly [ParsedFile, ...ParsedFile[]];
  /** The nodes of other files, by their index in `nodes`. */
  readonly moved: ReadonlyMap<number, { readonly source: ParsedFile; readonly index: number }>;
};

/** What a check found about the value at `path`. */
export type ConfigFinding = {
  readonly path: Path;
  readonly message: string;
  /** The key is wrong; the value under an unknown one can be anything. */
  readonly at?: "key" | "unknown key";
  /** The value is valid, but probably not intended. */
  readonly isWarning?: true;
};

export function warning(path: Path, message: string): ConfigFinding {
  return { path, message, isWarning: true };
}

/** A result, and what was found on the way to it. */
export type Checked<T> = { readonly result: T; readonly findings: readonly ConfigFinding[] };

/** The tree of one file. An empty file is an empty mapping. */
export function treeOf(file: ParsedFile): Tree {
  return { value: file.value ?? {}, files: [file], moved: new Map() };
}

/** The position of the value at `path`, or of its nearest ancestor. */
export function placeOf(tree: Tree, path: Path): Place {
  return placeAfter(stepsTo(tree, path));
}

/** The position of the last value, or of its key. An empty value has that of its key. */
function placeAfter({ source, steps, isWhole }: Steps, at?: ConfigFinding["at"]): Place {
  const { key, value } = steps.at(-1) ?? {};
  const isEmpty = !isNode(value) || (isScalar(value) && value.value === null);
  const node = key !== undefined && (isEmpty || (at !== undefined && isWhole)) ? key : value;
  return placeIn(source, isNode(node) ? node : null);
}

function placeIn({ file, lines }: ParsedFile, at: Fault["at"]): Place {
  const { line, col } = lines.linePos(typeof at === "number" ? at : (at?.range?.[0] ?? 0));
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** The text at `path` as its file has it, before variables were expanded. Messages show only this form. */
export function writtenAt(tree: Tree, path: Path): string | undefined {
  const { steps, isWhole } = stepsTo(tree, path);
  const node = steps.at(-1)?.value;
  return isWhole && isScalar(node) ? node.source : undefined;
}

type Step = { readonly key?: unknown; readonly value: unknown };
type Steps = { readonly source: ParsedFile; readonly steps: readonly Step[]; readonly isWhole: boolean };

/**
 * The keys and values from the root to a path, as far as the file has them. `isWhole`: it has them all. By hand, because yaml's own
 * `getIn` follows neither aliases nor `<<`, and gives no keys.
 */
function stepsTo(tree: Tree, path: Path): Steps {
  const [section, index, ...rest] = path;
  const moved = section === "nodes" && typeof index === "number" ? tree.moved.get(index) : undefined;
  const source = moved?.source ?? tree.files[0];
  const local = moved === undefined ? path : [moved.index, ...rest];
  const steps: Step[] = [{ value: source.root }];
  for (const part of local) {
    const next = stepTo(source, steps.at(-1)?.value, part);
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

/** A finding with the way to its value. */
type Located = ConfigFinding & { readonly to: Steps };

/**
 * What is wrong with the files, and what checks found that came one after the other, sorted. What follows the first YAML error of a
 * file is omitted, because values there are unreliable, and so is what that file lacks.
 */
export function reported(
  tree: Tree,
  checks: ReadonlyArray<readonly ConfigFinding[]>,
): Readonly<Record<"problems" | "warnings", readonly ConfigProblem[]>> {
  const ofFiles = tree.files.flatMap((source) => {
    const here = ({ at, message }: Fault): ConfigProblem => ({ ...placeIn(source, at), message });
    return [...source.syntax.map(here), ...source.refused.map(here).filter(({ line }) => line < source.brokenFrom)];
  });
  const found = fresh(tree, checks);
  const problems = found.filter(({ isWarning }) => isWarning !== true).flatMap(placed);
  const warnings = found.filter(({ isWarning }) => isWarning).flatMap(placed);
  return { problems: inOrder([...ofFiles, ...problems], tree), warnings: inOrder(warnings, tree) };
}

/** The findings without those about a value that is, or is inside, one that an earlier check found wrong. */
function fresh(tree: Tree, checks: ReadonlyArray<readonly ConfigFinding[]>): readonly Located[] {
  const wrong = new Set<unknown>(tree.files.flatMap(({ refused }) => refused.map(({ at }) => at)));
  return checks.flatMap((findings) => {
    const located = findings.map((finding) => ({ ...finding, to: stepsTo(tree, finding.path) }));
    const kept = located.filter(({ at, to: { steps } }) => {
      const values = at === "unknown key" ? steps.slice(0, -1) : steps;
      return !values.some(({ value }) => wrong.has(value));
    });
    for (const { at, isWarning, to } of kept)
      if (at === undefined && isWarning !== true && to.isWhole) wrong.add(to.steps.at(-1)?.value);
    return kept;
  });
}

function placed({ at, message, to }: Located): readonly ConfigProblem[] {
  const place = placeAfter(to, at);
  const { brokenFrom } = to.source;
  const isThere = to.isWhole || at !== undefined;
  return brokenFrom === Infinity || (isThere && place.line < brokenFrom) ? [{ ...place, message }] : [];
}

/** Problems without duplicates, sorted by file, line and column. */
function inOrder(problems: readonly ConfigProblem[], { files }: Tree): readonly ConfigProblem[] {
  const order = files.map(({ file }) => file);
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort(
    (a, b) =>
      order.indexOf(a.file) - order.indexOf(b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      (a.message < b.message ? -1 : 1),
  );
}
