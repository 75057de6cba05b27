import { maskedUrl } from "../api/hide-secrets.ts";
import { checkDemand } from "./check-demand.ts";
import { checkReferences, type KnownNames } from "./check/check-references.ts";
import type { Config } from "./config.ts";
import { parseTree } from "./check/parse-tree.ts";
import type { ConfigProblem, Result } from "./base/config-problem.ts";
import { readConfigFiles } from "./read/read-config-files.ts";
import { configSchema } from "./schema/config-schema.ts";
import type { Sources } from "./read/sources.ts";
import { reported } from "./base/config-finding.ts";
import { isRecord } from "./base/value-at.ts";
import { stringify } from "yaml";
import { given } from "./schema/fields.ts";
import { childOf, knownKeys, shapeOf, tagOf, type Shape } from "./schema/shape.ts";

export type Loaded = {
  readonly config: Config;
  /** The effective YAML with every secret replaced by `<secret>`. */
  readonly masked: () => string;
  /** Settings that are valid but probably not intended. */
  readonly warnings: readonly ConfigProblem[];
};

/**
 * Reads a configuration file and every file that it names. File content never causes an exception: the result lists all
 * problems at once.
 */
export function loadConfig(
  path: string,
  endpointIds: readonly string[],
  sources: Sources,
  known: Omit<KnownNames, "endpointIds"> = {},
): Result<Loaded> {
  const { result: tree, findings: ofReading } = readConfigFiles(path, sources);
  const { parsed: config, ofSchema, ofFiles } = parseTree(configSchema, tree, sources);
  // A truncated file refers to values that are missing.
  const isWhole = tree.files.every(({ brokenFrom }) => brokenFrom === Infinity);
  const ofValues = isWhole ? [...checkReferences(tree, { endpointIds, ...known })] : [];
  const ofDemand = config === undefined ? [] : [...checkDemand(config)];
  const { problems, warnings } = reported(tree, [ofReading, ofSchema, ofValues, ofFiles, ofDemand]);
  if (config === undefined || problems.length > 0) return { ok: false, problems };
  return { ok: true, loaded: { config, warnings, masked: () => masked(tree.value) } };
}

const MASK = "<secret>";

/** The configuration as YAML with variables expanded, defaults filled in and secrets replaced. Paths of secret files are kept. */
function masked(value: unknown): string {
  return stringify(mask(shapeOf(configSchema), value, false), { lineWidth: 0, aliasDuplicateObjects: false });
}

function mask(shape: Shape | undefined, value: unknown, insideSecret: boolean): unknown {
  // A value without a shape can be a secret.
  if (shape === undefined) return MASK;
  const tag = tagOf(shape);
  const secret = (insideSecret || tag.secret === true) && tag.file === undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => mask(childOf(shape, index), item, secret));
  if (!isRecord(value)) return secret ? MASK : tag.url === true && typeof value === "string" ? maskedUrl(value) : value;
  const known = knownKeys(shape);
  const entries = (known.length > 0 ? known : Object.keys(value)).map((key) => {
    const child = childOf(shape, key);
    const content = value[key] ?? child?.default;
    return [key, content === undefined ? undefined : mask(child, content, secret)] as const;
  });
  return given(Object.fromEntries(entries));
}
