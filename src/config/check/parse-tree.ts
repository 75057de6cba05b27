import type { z } from "zod";
import { withNamedFiles } from "../read/named-files.ts";
import type { Sources } from "../read/sources.ts";
import { complain, type Findings, isComplained, isRecord, type Path, pathKey, valueAt } from "../base/tree.ts";
import { childSchema, holdsSecret, isNeeded, isSecretPath, knownKeys } from "../schema/walk.ts";
import { didYouMean, fieldName, found, oneOf, quoted, shownKey } from "../base/words.ts";

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
  if (!parsed.success) describeIssues(parsed.error.issues, { schema, value, findings });
  checkMore();
  // After the schema has checked the paths, so that an invalid path is reported once.
  const filled = withNamedFiles(schema, value, sources, findings);
  if (!parsed.success || findings.problems.length > 0) return undefined;
  return filled === value ? parsed.data : schema.parse(filled);
}

type Context = { readonly schema: z.core.$ZodType; readonly value: unknown; readonly findings: Findings };

const MAPPING = "a mapping (keys with values)";

/** zod's error map: the expected value, where the schema has no message of its own. */
function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "invalid_value") return oneOf(issue.values.map(String));
  if (issue.code === "invalid_union") return "text or a mapping";
  if (issue.code !== "invalid_type") return "a valid value";
  const kinds: Readonly<Record<string, string>> = {
    string: "text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: MAPPING,
    record: MAPPING,
  };
  return kinds[issue.expected] ?? "a valid value";
}

/** Converts zod's issues into problems with positions. Values that have a problem are skipped. */
function describeIssues(issues: readonly z.core.$ZodIssue[], context: Context, base: Path = []): void {
  // Filtered before the first is added: two issues of one value are two problems.
  const fresh = issues.filter((issue) => !isComplained(context.findings, [...base, ...pathOf(issue)]));
  for (const issue of fresh) describeIssue(issue, context, [...base, ...pathOf(issue)]);
}

function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
}

function describeIssue(issue: z.core.$ZodIssue, context: Context, path: Path): void {
  const { findings, value } = context;
  if (issue.code === "unrecognized_keys") return unknownKeys(issue.keys, context, path);
  if (issue.code === "invalid_union") {
    const near = issue.errors.find(
      (branch) => !branch.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
    );
    if (near !== undefined) return describeIssues(near, context, path);
  }
  if (issue.code === "custom" && issue.params?.["sentence"] === true) {
    return complain(findings, path, issue.message, issue.params["at"] === "key" ? "key" : "value");
  }
  const here = valueAt(value, path);
  if (here === undefined && !hasKey(value, path)) return missing(path, issue.message, findings);
  const shown = shownValue(issue, here, path, context);
  const expected = issue.message === MAPPING ? mappingAt(path, context) : issue.message;
  complain(findings, path, `${fieldName(path) || "the file"} must be ${expected}${shown}${trailing(issue, here)}`);
}

/** Describes the expected mapping by its required keys, or by its first keys when none is required. */
function mappingAt(path: Path, { schema }: Context): string {
  const owner = schemaAt(schema, path);
  const known = owner === undefined ? [] : knownKeys(owner);
  const needed = known.filter((key) => owner !== undefined && isNeeded(childSchema(owner, key)));
  const some = needed.length > 0 ? needed : known.slice(0, 3);
  return some.length === 0
    ? MAPPING
    : `a mapping (keys with values, such as ${oneOf(some).replace(/ or (?=\S+$)/, " and ")})`;
}

function schemaAt(schema: z.core.$ZodType, path: Path): z.core.$ZodType | undefined {
  return path.reduce<z.core.$ZodType | undefined>(
    (at, part) => (at === undefined ? undefined : childSchema(at, part)),
    schema,
  );
}

/** `; found …`. The text is omitted for a secret, and where a mapping was expected: a missing space can join a secret to its key. */
function shownValue(issue: z.core.$ZodIssue, here: unknown, path: Path, { schema, findings }: Context): string {
  if (issue.code === "custom" && issue.params?.["hidden"] === true) return "";
  const structural = issue.code === "invalid_type" && ["object", "record", "array"].includes(issue.expected);
  if (typeof here === "string" && structural) return "; found text";
  return `; found ${found(here, findings.entries.get(pathKey(path))?.written, isSecretPath(schema, path))}`;
}

function trailing(issue: z.core.$ZodIssue, here: unknown): string {
  const hint: unknown = issue.code === "custom" ? issue.params?.["hint"] : undefined;
  if (typeof hint === "string") return ` (${hint})`;
  if (issue.code === "invalid_type" && issue.expected === "array") {
    if (isRecord(here)) return " (each entry starts with a dash: - )";
    return typeof here === "string" || typeof here === "number" ? " (put a single item in brackets: [ ])" : "";
  }
  if (issue.message.startsWith("a duration") && typeof here === "number" && here > 0) return " (the unit is missing)";
  if (issue.message === "text" && (typeof here === "number" || typeof here === "boolean"))
    return " (put it in quotes to make it text)";
  return issue.code === "invalid_value" && typeof here === "string" ? didYouMean(here, issue.values.map(String)) : "";
}

function hasKey(root: unknown, path: Path): boolean {
  const parent = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  return last === undefined || typeof last === "number" || (isRecord(parent) && last in parent);
}

function missing(path: Path, expected: string, findings: Findings): void {
  const parent = path.slice(0, -1);
  const at = findings.entries.get(pathKey(parent))?.value ?? { file: "", line: 1, column: 1 };
  // In a file with invalid YAML the value can follow the error.
  if (findings.broken.has(at.file)) return;
  findings.problems.push({ ...at, message: `${fieldName(path)} is missing; it must be ${expected}` });
}

function unknownKeys(keys: readonly string[], { schema, findings }: Context, path: Path): void {
  const owner = schemaAt(schema, path);
  const known = owner === undefined ? [] : knownKeys(owner);
  // Beside passwords an unknown key can itself be a password whose colon is missing.
  const hidden = owner !== undefined && (isSecretPath(schema, path) || (holdsSecret(owner) && known.length <= 3));
  for (const key of keys) {
    const plain = shownKey(key);
    const word = plain.replace("…", "");
    const guess = elsewhere(word, owner) || didYouMean(word, known) || `; expected ${oneOf(known)}`;
    const glued = plain !== key && key.startsWith(`${word}:`) ? "; is the space after the colon missing?" : guess;
    complain(findings, [...path, key], hidden ? `unknown key${glued}` : `unknown key ${quoted(plain)}${glued}`, "key");
  }
}

/** Common names for a node's address. */
const URL_WORDS = ["host", "hostname", "port", "address", "addr", "uri", "endpoint", "target", "server"];
/** Common names for a polling interval or a timeout. */
const CADENCE_WORDS = ["interval", "scrape_interval", "poll_interval", "every", "timeout", "scrape_timeout"];

/** A hint for an unknown key: another name, or the section that contains it. */
function elsewhere(word: string, owner: z.core.$ZodType | undefined): string {
  if (owner === undefined) return "";
  const known = knownKeys(owner);
  const plain = word.toLowerCase();
  if (known.includes("url") && URL_WORDS.includes(plain)) return '; did you mean "url"?';
  if (CADENCE_WORDS.includes(plain)) {
    if (known.includes("every")) return '; did you mean "every"?';
    if (known.includes("url") || known.includes("nodes")) return "; intervals and timeouts are set under endpoints";
  }
  const home = known.find((key) => {
    const section = childSchema(owner, key);
    const entry = section === undefined ? undefined : (childSchema(section, 0) ?? section);
    return entry !== undefined && knownKeys(entry).includes(word);
  });
  return home === undefined ? "" : `; it belongs under ${home}`;
}
