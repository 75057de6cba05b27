import { dirname, isAbsolute, join } from "node:path";
import { treeOf, warning, type Checked, type ParsedFile, type Tree } from "../base/config-finding.ts";
import { isRecord } from "../base/value-at.ts";
import { found, quoted } from "../base/error-texts.ts";
import { readYamlFile } from "./read-yaml-file.ts";
import type { Sources } from "./sources.ts";

/** Reads a configuration file, and appends the nodes of its `node_files`. Their values keep the positions in their files. */
export function readConfigFiles(path: string, sources: Sources): Checked<Tree> {
  const main = treeOf(readYamlFile(path, sources));
  const { value, files } = main;
  const own = isRecord(value) ? (value["nodes"] ?? []) : undefined;
  if (!isRecord(value) || !Array.isArray(value["node_files"]) || !Array.isArray(own))
    return { result: main, findings: [] };
  const named = value["node_files"].flatMap((pattern: unknown, index) =>
    typeof pattern === "string" && pattern !== ""
      ? [{ path: ["node_files", index], pattern, found: matches(pattern, dirname(path), sources) }]
      : [],
  );
  const findings = named
    .filter((each) => each.found.length === 0)
    .map(({ path: at, pattern }) =>
      /[*?[{]/.test(pattern)
        ? warning(at, `no file matches the pattern ${quoted(pattern)}`)
        : { path: at, message: `no such file: ${quoted(pattern)}` },
    );
  const lists = [...new Set(named.flatMap((each) => each.found))].map((file) => readList(file, sources));
  const moved = lists.flatMap(({ nodes, source }) => nodes.map((node, index) => ({ node, source, index })));
  const nodes = [...(own as unknown[]), ...moved.map(({ node }) => node)];
  return {
    result: {
      value: nodes.length === 0 ? value : { ...value, nodes },
      files: [files[0], ...lists.map(({ source }) => source)],
      moved: new Map(moved.map((node, index) => [own.length + index, node])),
    },
    findings,
  };
}

/** A file that holds a list of nodes. */
function readList(path: string, sources: Sources): { readonly nodes: readonly unknown[]; readonly source: ParsedFile } {
  const source = readYamlFile(path, sources);
  const { value, root, refused } = source;
  if (Array.isArray(value)) return { nodes: value, source };
  if (value === undefined || value === null) return { nodes: [], source };
  const message = `a file of node_files must hold a list of nodes; found ${found(value, undefined, true)}`;
  return { nodes: [], source: { ...source, refused: [...refused, { at: root, message }] } };
}

/** The files that match a pattern, sorted: the order of nodes must not depend on the file system. */
function matches(pattern: string, folder: string, sources: Sources): readonly string[] {
  return sources
    .glob(pattern, folder)
    .map((file) => (isAbsolute(file) ? file : join(folder, file)))
    .sort();
}
