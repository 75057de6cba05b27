import type { z } from "zod";
import { withNamedFiles } from "../read/named-files.ts";
import type { Sources } from "../read/sources.ts";
import { complain, type Findings, isComplained, type Path, placeOf, valueAt, writtenAt } from "../base/tree.ts";
import { childOf, isSecretPath, knownKeys, shapeAt, shapeOf, tagOf, type Shape } from "../schema/shape.ts";
import { didYouMean, fieldName, found, oneOf, quoted, shownKey } from "../base/error-texts.ts";

/**
 * Parses a tree with a schema, and inserts the content of the files that it names. `undefined` when there is any problem; the
 * findings then contain all of them.
 * @param checkMore adds the problems that the schema does not detect; called after it
 */
export function parseTree<T extends z.ZodType>(
  schema: T,
  value: unknown,
  sources: Sources,
  findings: Findings,
  checkMore: () => void = () => undefined,
): z.output<T> | undefined {
  const parsed = schema.safeParse(value, { error: expectation });
  const shape = shapeOf(schema);
  if (!parsed.success) describeIssues(parsed.error.issues, { shape, value, findings });
  checkMore();
  // After the schema has checked the paths, so that an invalid path is reported once.
  const filled = withNamedFiles(shape, value, sources, findings);
  if (!parsed.success || findings.problems.length + findings.syntax.length > 0) return undefined;
  return filled === value ? parsed.data : schema.parse(filled);
}

type Context = { readonly shape: Shape; readonly value: unknown; readonly findings: Findings };

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

/** Converts zod's issues into problems with positions. Values that have a problem are skipped. */
function describeIssues(issues: readonly z.core.$ZodIssue[], context: Context, base: Path = []): void {
  const located = issues.map((issue) => ({ issue, path: [...base, ...(issue.path as Path)] }));
  // Filtered before the first is added: two issues of one value are two problems.
  const fresh = located.filter(({ path }) => !isComplained(context.findings, path));
  for (const { issue, path } of fresh) describeIssue(issue, context, path);
}

function describeIssue(issue: z.core.$ZodIssue, context: Context, path: Path): void {
  const { findings, value } = context;
  if (issue.code === "unrecognized_keys") return unknownKeys(issue.keys, context, path);
  if (issue.code === "invalid_key")
    return complain(findings, path, `this key must be ${issue.issues[0]?.message ?? "another one"}`, "key");
  if (issue.code === "invalid_union") {
    const near = issue.errors.find(
      (branch) => !branch.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
    );
    if (near !== undefined) return describeIssues(near, context, path);
  }
  if (issue.code === "custom" && issue.params?.["sentence"] === true)
    return complain(findings, path, issue.message, issue.params["at"] === "key" ? "key" : "value");
  const here = valueAt(value, path);
  if (here === undefined) return missing(path, issue.message, findings);
  const name = fieldName(path) || "the file";
  complain(findings, path, `${name} must be ${issue.message}${shownValue(issue, here, path, context)}`);
}

/** `; found …`, and a hint. The text is omitted for a secret, and where a mapping was expected: a missing space can join a secret to its key. */
function shownValue(issue: z.core.$ZodIssue, here: unknown, path: Path, { shape, findings }: Context): string {
  if (issue.code === "custom" && issue.params?.["hidden"] === true) return "";
  const structural = issue.code === "invalid_type" && ["object", "record", "array"].includes(issue.expected);
  return `; found ${found(here, writtenAt(findings, path), structural || isSecretPath(shape, path))}${hintFor(issue, here)}`;
}

function hintFor(issue: z.core.$ZodIssue, here: unknown): string {
  if (issue.code === "custom" && typeof issue.params?.["hint"] === "string") return ` (${issue.params["hint"]})`;
  if (issue.message === "text" && ["number", "boolean"].includes(typeof here)) return " (in quotes it is text)";
  return issue.code === "invalid_value" && typeof here === "string" ? didYouMean(here, issue.values.map(String)) : "";
}

function missing(path: Path, expected: string, findings: Findings): void {
  const at = placeOf(findings, path.slice(0, -1));
  // In a file with invalid YAML the value can follow the error.
  if (findings.broken.has(at.file)) return;
  findings.problems.push({ ...at, message: `${fieldName(path)} is missing; it must be ${expected}` });
}

function unknownKeys(keys: readonly string[], { shape, findings }: Context, path: Path): void {
  const owner = shapeAt(shape, path) ?? {};
  const known = knownKeys(owner);
  const isSecret = (key: string): boolean => tagOf(childOf(owner, key) ?? {}).secret === true;
  // Beside passwords an unknown key can itself be a password whose colon is missing.
  const hidden = isSecretPath(shape, path) || (known.length <= 3 && known.some(isSecret));
  for (const key of keys) {
    const name = shownKey(key);
    const guess = didYouMean(name.replace("…", ""), known) || `; expected ${oneOf(known)}`;
    complain(findings, [...path, key], `unknown key${hidden ? "" : ` ${quoted(name)}`}${guess}`, "key");
  }
}
