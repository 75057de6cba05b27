import type { z } from "zod";
import { withNamedFiles } from "../read/with-named-files.ts";
import type { Sources } from "../read/sources.ts";
import { writtenAt, type ConfigFinding, type Tree } from "../base/config-finding.ts";
import { valueAt, type Path } from "../base/value-at.ts";
import { childOf, isSecretPath, knownKeys, shapeAt, shapeOf, tagOf, type Shape } from "../schema/shape.ts";
import { didYouMean, fieldName, found, oneOf, quoted, shownKey } from "../base/error-texts.ts";

type Parsed<T> = {
  /** `undefined` when the schema does not accept the tree. */
  readonly parsed: T | undefined;
  readonly ofSchema: readonly ConfigFinding[];
  /** Of the files that the tree names. */
  readonly ofFiles: readonly ConfigFinding[];
};

/** Parses a tree with a schema, and inserts the content of the files that it names. */
export function parseTree<T extends z.ZodType>(schema: T, tree: Tree, sources: Sources): Parsed<z.output<T>> {
  const result = schema.safeParse(tree.value, { error: expectation });
  const shape = shapeOf(schema);
  const ofSchema = described(result.error?.issues ?? [], { shape, tree });
  const { result: filled, findings: ofFiles } = withNamedFiles(shape, tree, sources);
  const parsed = filled === tree.value || !result.success ? result.data : schema.parse(filled);
  return { parsed, ofSchema, ofFiles };
}

type Context = { readonly shape: Shape; readonly tree: Tree };

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list such as [a, b]",
  object: "a mapping (keys with values)",
  record: "a mapping (keys with values)",
};

/** zod's error map: the expected value, where the schema has no message of its own. */
function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "invalid_value") return oneOf(issue.values.map(String));
  if (issue.code === "invalid_union") return "text or a mapping";
  return (issue.code === "invalid_type" ? KINDS[issue.expected] : undefined) ?? "a valid value";
}

/** What zod's issues are in words. */
function described(issues: readonly z.core.$ZodIssue[], context: Context, base: Path = []): readonly ConfigFinding[] {
  return issues.flatMap((issue) => describedIssue(issue, context, [...base, ...(issue.path as Path)]));
}

function describedIssue(issue: z.core.$ZodIssue, context: Context, path: Path): readonly ConfigFinding[] {
  if (issue.code === "unrecognized_keys") return unknownKeys(issue.keys, context.shape, path);
  if (issue.code === "invalid_key")
    return [{ path, at: "key", message: `this key must be ${issue.issues[0]?.message ?? "another one"}` }];
  if (issue.code === "invalid_union") {
    const near = issue.errors.find(
      (branch) => !branch.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
    );
    if (near !== undefined) return described(near, context, path);
  }
  if (issue.code === "custom" && issue.params?.["sentence"] === true)
    return [{ path, message: issue.message, ...(issue.params["at"] === "key" ? { at: "key" } : {}) }];
  const here = valueAt(context.tree.value, path);
  if (here === undefined) return [{ path, message: `${fieldName(path)} is missing; it must be ${issue.message}` }];
  const name = fieldName(path) || "the file";
  return [{ path, message: `${name} must be ${issue.message}${shownValue(issue, here, path, context)}` }];
}

/** `; found …`, and a hint. The text is omitted for a secret, and where a mapping was expected: a missing space can join a secret to its key. */
function shownValue(issue: z.core.$ZodIssue, here: unknown, path: Path, { shape, tree }: Context): string {
  if (issue.code === "custom" && issue.params?.["hidden"] === true) return "";
  const structural = issue.code === "invalid_type" && ["object", "record", "array"].includes(issue.expected);
  return `; found ${found(here, writtenAt(tree, path), structural || isSecretPath(shape, path))}${hintFor(issue, here)}`;
}

function hintFor(issue: z.core.$ZodIssue, here: unknown): string {
  if (issue.code === "custom" && typeof issue.params?.["hint"] === "string") return ` (${issue.params["hint"]})`;
  if (issue.message === "text" && ["number", "boolean"].includes(typeof here)) return " (in quotes it is text)";
  return issue.code === "invalid_value" && typeof here === "string" ? didYouMean(here, issue.values.map(String)) : "";
}

function unknownKeys(keys: readonly string[], shape: Shape, path: Path): readonly ConfigFinding[] {
  const owner = shapeAt(shape, path) ?? {};
  const known = knownKeys(owner);
  const isSecret = (key: string): boolean => tagOf(childOf(owner, key) ?? {}).secret === true;
  // Beside passwords an unknown key can itself be a password whose colon is missing.
  const hidden = isSecretPath(shape, path) || (known.length <= 3 && known.some(isSecret));
  return keys.map((key) => {
    const name = shownKey(key);
    const guess = didYouMean(name.replace("…", ""), known) || `; expected ${oneOf(known)}`;
    return {
      path: [...path, key],
      at: "unknown key",
      message: `unknown key${hidden ? "" : ` ${quoted(name)}`}${guess}`,
    };
  });
}
