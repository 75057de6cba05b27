import { dirname, isAbsolute, join } from "node:path";
import { readYamlFile } from "./read-yaml.ts";
import type { Sources } from "./sources.ts";
import { complain, isComplained, isRecord, warn, type Findings, type Path } from "../base/tree.ts";
import { found, quoted } from "../base/words.ts";

/** Appends the nodes of `node_files` to the tree's own. Their values keep the positions in their files. */
export function withNodeFiles(value: unknown, path: string, sources: Sources, findings: Findings): unknown {
  if (!isRecord(value) || !Array.isArray(value["node_files"])) return value;
  const own: unknown = value["nodes"] ?? [];
  if (!Array.isArray(own)) return value;
  const nodes: unknown[] = [...(own as unknown[])];
  const files = value["node_files"].flatMap((pattern: unknown, index) =>
    matches(pattern, ["node_files", index], dirname(path), sources, findings),
  );
  for (const file of new Set(files)) {
    const read = readYamlFile(file, sources, findings);
    if (Array.isArray(read?.value)) {
      for (const [index, node] of (read.value as unknown[]).entries()) {
        findings.moved.set(nodes.length, { source: read.source, index });
        nodes.push(node);
      }
    } else if (read?.value !== undefined && read.value !== null) {
      const message = `a file of node_files must hold a list of nodes; found ${found(read.value, undefined, true)}`;
      findings.problems.push({ ...read.source.placeOf(read.source.root), message });
    }
  }
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
