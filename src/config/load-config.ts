import { buildConfig } from "./build-config.ts";
import { checkNetworks } from "./check/check-networks.ts";
import { checkReferences } from "./check/check-references.ts";
import type { Config } from "./config.ts";
import { describeIssues, expectation } from "./check/describe-issue.ts";
import { masked } from "./masked.ts";
import type { Problem } from "./problem.ts";
import { withNodeFiles } from "./read/node-files.ts";
import { readNamedFiles } from "./read/read-named-files.ts";
import { readYamlFile } from "./read/read-yaml.ts";
import { configSchema } from "./schema/config-schema.ts";
import type { Sources } from "./read/sources.ts";
import { inOrder, newFindings, type Findings } from "./tree.ts";

export type Loaded = {
  readonly config: Config;
  /** The effective YAML with every secret replaced by `<secret>`. */
  readonly masked: string;
  /** Every file read, secrets' files too: for watching and logs. */
  readonly files: readonly string[];
  /** What is valid but probably not meant. */
  readonly warnings: readonly Problem[];
};

export type Result<T> =
  { readonly ok: true; readonly loaded: T } | { readonly ok: false; readonly problems: readonly Problem[] };

/** How the configuration is to be used. */
export type Use = {
  /** Several processes share the nodes: each must know of every node's network without asking it. */
  readonly sharded?: boolean;
};

/**
 * Reads a configuration file and everything that it names. Never throws for anything that is in a file: every problem of
 * every kind comes back at once.
 * @param endpointIds the endpoints that the section `endpoints` may change
 */
export function loadConfig(
  path: string,
  endpointIds: readonly string[],
  sources: Sources,
  { sharded = false }: Use = {},
): Result<Loaded> {
  const findings = newFindings();
  const schema = configSchema(sources.sha256);
  const value = withNodeFiles(readYamlFile(path, [], sources, findings) ?? {}, path, sources, findings);
  const parsed = schema.safeParse(value, { error: expectation });
  if (!parsed.success) describeIssues(parsed.error.issues, { schema, value, findings });
  if (findings.broken.size === 0) {
    checkReferences(value, endpointIds, findings);
    if (sharded) checkNetworks(value, findings);
  }
  const named = readNamedFiles(schema, value, sources, findings);
  if (!parsed.success || findings.problems.length > 0) return { ok: false, problems: trusted(findings) };
  const config = buildConfig(parsed.data, named, findings);
  const files = [...new Set(findings.files)];
  const loaded = { config, masked: masked(schema, value), files, warnings: inOrder(findings.warnings, files) };
  return { ok: true, loaded };
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
