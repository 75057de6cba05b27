import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { MAX_FILE_BYTES, type Sources, unreadable } from "./sources.ts";
import { complain, copyEntries, type Findings, isRecord, type Path, pathKey, type Place } from "../base/tree.ts";
import { quoted, shownKey } from "../base/words.ts";
import { noteSyntax, yamlErrorSentence } from "./yaml-errors.ts";

/** Limit on values that aliases expand to: enough for thousands of nodes that share settings, but not for an expansion bomb. */
const MAX_ALIASED = 200_000;
const MAX_DEPTH = 50;

type Reading = {
  readonly file: string;
  readonly findings: Findings;
  readonly env: Sources["env"];
  readonly place: (offset: number) => Place;
  readonly anchors: Map<string, Node>;
  /** Alias targets that are being expanded: an alias to one of them is circular. */
  readonly open: Set<Node>;
  aliased: number;
};

export function readText(file: string, sources: Sources, findings: Findings): { text: string } | { fault: string } {
  findings.files.push(file);
  try {
    const text = sources.readFile(file);
    return text.length > MAX_FILE_BYTES ? { fault: "it is larger than 10 MB" } : { text };
  } catch (error) {
    return { fault: unreadable(error) };
  }
}

/** Reads a YAML file. `undefined`, with a problem added, when it cannot be read. */
export function readYamlFile(file: string, base: Path, sources: Sources, findings: Findings): unknown {
  const read = readText(file, sources, findings);
  if ("text" in read) return readYaml(file, read.text, base, findings, sources.env);
  findings.problems.push({ file, line: 1, column: 1, message: `the file cannot be read: ${read.fault}` });
  findings.broken.set(file, 1);
  return undefined;
}

/**
 * Parses YAML to plain values with `${ENV}` expanded. Adds each value's position under `base` and every YAML error to the
 * findings. Never throws.
 */
export function readYaml(file: string, text: string, base: Path, findings: Findings, env: Sources["env"]): unknown {
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "error",
    });
    noteSyntax(document, place, findings);
    findings.entries.set(pathKey(base), { value: place(document.contents?.range[0] ?? 0) });
    const reading: Reading = { file, findings, env, place, anchors: new Map(), open: new Set(), aliased: 0 };
    return visit(document.contents, base, undefined, reading, 0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    findings.problems.push({ file, line: 1, column: 1, message: yamlErrorSentence("RESOURCE_EXHAUSTION") });
    findings.broken.set(file, 1);
    return undefined;
  }
}

function visit(node: Node | null, path: Path, key: Place | undefined, reading: Reading, depth: number): unknown {
  const { findings } = reading;
  const empty = node === null || (isScalar(node) && node.value === null);
  const value = empty && key !== undefined ? key : reading.place(node?.range?.[0] ?? 0);
  findings.entries.set(pathKey(path), { key, value });
  if (reading.open.size > 0 && ++reading.aliased > MAX_ALIASED) {
    if (reading.aliased === MAX_ALIASED + 1)
      complain(findings, path, `aliases expand to more than ${MAX_ALIASED} values; write them out or use fewer`);
    return undefined;
  }
  if (node === null) return null;
  if (isAlias(node)) return visitAlias(node.source, path, key, reading, depth);
  if ("anchor" in node && typeof node.anchor === "string") reading.anchors.set(node.anchor, node);
  if (depth > MAX_DEPTH) {
    complain(findings, path, yamlErrorSentence("RESOURCE_EXHAUSTION"));
    return undefined;
  }
  if (isMap(node)) return visitMap(node.items, path, reading, depth);
  if (isSeq(node))
    return node.items.map((item, index) => visit(item as Node | null, [...path, index], undefined, reading, depth + 1));
  return isScalar(node) ? visitScalar(node.value, path, { key, value }, reading) : undefined;
}

function visitAlias(name: string, path: Path, key: Place | undefined, reading: Reading, depth: number): unknown {
  const target = reading.anchors.get(name);
  if (target === undefined || reading.open.has(target)) {
    const message =
      target === undefined
        ? "this alias (*name) has no anchor (&name) before it; put the text in quotes if it only looks like an alias"
        : "circular alias: it is inside the value that it repeats";
    complain(reading.findings, path, message);
    return undefined;
  }
  reading.open.add(target);
  const value = visit(target, path, key, reading, depth + 1);
  reading.open.delete(target);
  return value;
}

function visitScalar(
  value: unknown,
  path: Path,
  at: { key: Place | undefined; value: Place },
  reading: Reading,
): unknown {
  if (typeof value !== "string") {
    if (value === null || typeof value === "number" || typeof value === "boolean") return value;
    complain(reading.findings, path, "values of this tag are not supported; write plain text");
    return undefined;
  }
  const { text, missing, malformed } = expandEnvironment(value, reading.env);
  reading.findings.entries.set(pathKey(path), { ...at, written: value });
  for (const name of missing) {
    complain(
      reading.findings,
      path,
      `the environment variable ${name.slice(0, 80)} is not set; set it, or write $\${ for a plain \${`,
    );
  }
  if (malformed)
    complain(reading.findings, path, "write a variable as ${NAME} with letters, digits and _, and a plain ${ as $${");
  return text;
}

function visitMap(
  items: ReadonlyArray<{ readonly key: unknown; readonly value: unknown }>,
  path: Path,
  reading: Reading,
  depth: number,
): Record<string, unknown> {
  // Without a prototype, because the file can contain a key such as `constructor`.
  const result = Object.create(null) as Record<string, unknown>;
  let merge: unknown;
  const lines = new Map<string, number>();
  for (const item of items) {
    const keyNode = item.key as Node | null;
    const at = reading.place(keyNode?.range?.[0] ?? 0);
    const name = keyName(keyNode);
    if (name === undefined) {
      complainHere(reading, at, "a key must be text");
      continue;
    }
    const first = lines.get(name);
    if (first !== undefined)
      complainHere(reading, at, `duplicate key ${quoted(shownKey(name))}; first used on line ${first}`);
    else lines.set(name, at.line);
    if (first !== undefined) continue;
    const value = visit(item.value as Node | null, [...path, name], at, reading, depth + 1);
    if (name === "<<") merge = value;
    else result[name] = value;
  }
  const sources: readonly unknown[] = Array.isArray(merge) ? merge : [merge];
  sources.forEach((source, index) => {
    const from = Array.isArray(merge) ? [...path, "<<", index] : [...path, "<<"];
    if (lines.has("<<")) mergeInto(result, path, source, from, reading);
  });
  return result;
}

function complainHere(reading: Reading, at: Place, message: string): void {
  reading.findings.problems.push({ ...at, message });
}

function keyName(key: Node | null): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === "string") return key.value === "__proto__" ? undefined : key.value;
  return typeof key.value === "number" || typeof key.value === "boolean"
    ? (key.source ?? String(key.value))
    : undefined;
}

/** YAML's merge key: copies the keys that the mapping does not set, with their original positions. */
function mergeInto(target: Record<string, unknown>, path: Path, source: unknown, from: Path, reading: Reading): void {
  if (!isRecord(source)) {
    if (source !== undefined)
      complain(reading.findings, from, "<< must be followed by an alias of a mapping, or a list of them");
    return;
  }
  for (const [name, value] of Object.entries(source)) {
    if (name in target) continue;
    target[name] = value;
    copyEntries(reading.findings, [...from, name], [...path, name], value);
  }
}

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;

/** Replaces `${NAME}` with the variable's value and `$${` with `${`. Values of variables are not expanded again. */
export function expandEnvironment(source: string, env: Sources["env"]) {
  const missing = new Set<string>();
  let malformed = false;
  const text = source.replace(REFERENCE, (found: string, name: string | undefined) => {
    if (found === "$${") return "${";
    if (name === undefined) {
      malformed = true;
      return found;
    }
    const value = env[name];
    if (value === undefined) missing.add(name);
    return value ?? "";
  });
  return {
    text,
    /** Unset variables, without duplicates. */
    missing: [...missing],
    /** Whether the source contains a `${` that is not part of a `${NAME}`. */
    malformed,
  };
}
