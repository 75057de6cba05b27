import { dirname, isAbsolute, join } from "node:path";
import { readYamlFile } from "./read-yaml.ts";
import type { Sources } from "./sources.ts";
import { complain, copyEntries, isComplained, isRecord, warn, type Findings, type Path } from "../base/tree.ts";
import { found, quoted } from "../base/words.ts";

/** Appends the nodes of `node_files` to the tree's own. Their values keep the positions in their files. */
export function withNodeFiles(value: unknown, path: string, sources: Sources, findings: Findings): unknown {
  if (!isRecord(value) || !Array.isArray(value["node_files"])) return value;
  const own: unknown = value["nodes"] ?? [];
  if (!Array.isArray(own)) return value;
  const nodes: unknown[] = [...(own as unknown[])];
  const done = new Set<string>();
  value["node_files"].forEach((pattern: unknown, index) => {
    for (const file of matches(pattern, ["node_files", index], dirname(path), sources, findings)) {
      if (done.has(file)) continue;
      done.add(file);
      const base = ["node_files", file];
      for (const [item, node] of readNodes(file, base, sources, findings).entries()) {
        copyEntries(findings, [...base, item], ["nodes", nodes.length], node);
        nodes.push(node);
      }
    }
  });
  return nodes.length === 0 ? value : { ...value, nodes };
}

/** The files that match a pattern, sorted: the order of nodes must not depend on the file system. */
function matches(pattern: unknown, at: Path, folder: string, sources: Sources, findings: Findings): string[] {
  if (typeof pattern !== "string" || pattern === "" || isComplained(findings, at)) return [];
  const files = sources.glob(pattern, folder).map((file) => (isAbsolute(file) ? file : join(folder, file)));
  if (files.length === 0 && !/[*?[{]/.test(pattern)) complain(findings, at, `no such file: ${quoted(pattern)}`);
  else if (files.length === 0) warn(findings, at, `no file matches the pattern ${quoted(pattern)}`);
  return files.sort();
}

function readNodes(file: string, base: Path, sources: Sources, findings: Findings): readonly unknown[] {
  const value = readYamlFile(file, base, sources, findings);
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as unknown[];
  const hint =
    isRecord(value) && "nodes" in value ? "; remove the line nodes: and start with the dash of the first node" : "";
  complain(
    findings,
    base,
    `a file of node_files must hold a list of nodes; found ${found(value, undefined, true)}${hint}`,
  );
  return [];
}
