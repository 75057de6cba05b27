import { parseTree } from "../check/parse-tree.ts";
import type { Problem, Result } from "../base/problem.ts";
import { readYamlFile } from "../read/read-yaml.ts";
import type { Sources } from "../read/sources.ts";
import { inOrder, newFindings, trusted } from "../base/tree.ts";
import { webSchema, type WebSecurity } from "./web-schema.ts";

type LoadedWeb = {
  readonly web: WebSecurity;
  /** Every file that was read; callers watch them, because certificates are renewed by replacing the file. */
  readonly files: readonly string[];
  readonly warnings: readonly Problem[];
};

/** Reads a web configuration file and the certificates that it names. The result lists all problems; file content never causes an exception. */
export function loadWebConfig(path: string, sources: Sources): Result<LoadedWeb> {
  const findings = newFindings();
  const web = parseTree(webSchema, readYamlFile(path, [], sources, findings) ?? {}, sources, findings);
  if (web === undefined) return { ok: false, problems: trusted(findings) };
  const files = [...new Set(findings.files)];
  return { ok: true, loaded: { web, files, warnings: inOrder(findings.warnings, files) } };
}
