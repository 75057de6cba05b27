import { stringify } from "yaml";
import type { z } from "zod";
import { isRecord } from "../base/tree.ts";
import { configSchema } from "../schema/config-schema.ts";
import { childSchema, descriptionOf, knownKeys } from "../schema/walk.ts";

/** A configuration in the notation of the file. */
export type Written = Readonly<Record<string, unknown>>;

/** Comments by path, such as `nodes.0`; they precede the value. */
export type Notes = ReadonlyMap<string, readonly string[]>;

type Writing = {
  readonly notes: Notes;
  /** Keys that are described: each once, at its first occurrence. */
  readonly described: Set<string>;
};

/** Columns of a line, unless a word is longer. */
const WIDTH = 100;

/** The configuration as YAML in which the schema's own descriptions explain each key, and a list of the other sections. */
export function commentedYaml(value: Written, notes: Notes): string {
  const schema = configSchema();
  const writing = { notes, described: new Set<string>() };
  const sections = Object.entries(value).map(([key, part]) =>
    mapping(schema, { [key]: part }, [], writing)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const others = knownKeys(schema).filter((key) => value[key] === undefined);
  return [
    ...sections,
    ["# Other sections:", ...others.flatMap((key) => otherSection(schema, key)), ""].join("\n"),
  ].join("\n");
}

function otherSection(schema: z.core.$ZodType, key: string): readonly string[] {
  const child = childSchema(schema, key);
  const about = child === undefined ? undefined : descriptionOf(child);
  return wrapped(`${key}: ${about ?? ""}`.trimEnd(), "#   ", "#     ");
}

type Path = ReadonlyArray<string | number>;

function mapping(schema: z.core.$ZodType, value: Written, path: Path, writing: Writing): readonly string[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const at = [...path, key];
    const inner = childSchema(schema, key);
    const about = inner === undefined ? undefined : describedOnce(inner, at, writing);
    const lines = entry(key, inner, child, at, writing);
    const inline = `${lines[0] ?? ""} # ${about ?? ""}`;
    if (about === undefined) return lines;
    if (lines.length === 1 && inline.length <= WIDTH) return [inline];
    return [...wrapped(about, "# "), ...lines];
  });
}

function entry(
  key: string,
  schema: z.core.$ZodType | undefined,
  value: unknown,
  path: Path,
  writing: Writing,
): readonly string[] {
  const name = scalar(key);
  if (schema !== undefined && isRecord(value)) return [`${name}:`, ...indented(mapping(schema, value, path, writing))];
  if (!Array.isArray(value)) return [`${name}: ${scalar(value)}`];
  if (value.every((item) => typeof item !== "object") && value.length <= 3)
    return [`${name}: [${value.map(scalar).join(", ")}]`];
  return [
    `${name}:`,
    ...indented(value.flatMap((item: unknown, index) => listItem(schema, item, [...path, index], writing))),
  ];
}

function listItem(list: z.core.$ZodType | undefined, value: unknown, path: Path, writing: Writing): readonly string[] {
  const schema = list === undefined ? undefined : childSchema(list, 0);
  const notes = (writing.notes.get(path.join(".")) ?? []).flatMap((note) => wrapped(note, "# "));
  if (schema === undefined || !isRecord(value)) return [...notes, `- ${scalar(value)}`];
  const lines = mapping(schema, value, path, writing);
  // A comment cannot stand between the dash and the first key.
  const first = lines.findIndex((line) => !line.startsWith("#"));
  return [
    ...notes,
    ...lines.slice(0, first),
    ...lines.slice(first).map((line, index) => `${index === 0 ? "- " : "  "}${line}`),
  ];
}

/** The description at the first occurrence of a key. */
function describedOnce(schema: z.core.$ZodType, path: Path, { described }: Writing): string | undefined {
  const key = path.filter((part) => typeof part === "string").join(".");
  if (described.has(key)) return undefined;
  described.add(key);
  return descriptionOf(schema);
}

function scalar(value: unknown): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** Comment lines of at most `WIDTH` columns. */
function wrapped(text: string, first: string, next = first): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && next.length + line.length + 1 + word.length > WIDTH - 4) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each, index) => `${index === 0 ? first : next}${each}`);
}
