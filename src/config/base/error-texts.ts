import { nearest } from "./nearest.ts";
import { writtenAt, type Tree } from "./config-finding.ts";
import type { Path } from "./value-at.ts";

const LONGEST = 80;

/** A key for a message. It is cut at the first unusual character, because a missing space can join a secret to it (`password:hunter2`). */
export function shownKey(key: string): string {
  const plain = /^[A-Za-z0-9_.-]{1,60}/.exec(key)?.[0] ?? "";
  return plain === key ? key : `${plain}…`;
}

/** The name of a value for a message: its path from the list item that contains it, such as `url`, `labels.site` or `watch.validators[2]`. */
export function fieldName(path: Path): string {
  const index = path.findIndex((part) => typeof part === "number");
  const tail = index >= 0 && index < path.length - 1 ? path.slice(index + 1) : path;
  return tail.reduce<string>(
    (name, part) =>
      typeof part === "number" ? `${name}[${part}]` : name === "" ? shownKey(part) : `${name}.${shownKey(part)}`,
    "",
  );
}

/** Describes a value for a message: its type, and its text unless it is secret. */
export function found(value: unknown, written: string | undefined, secret: boolean): string {
  if (value === "") return "empty text";
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (secret) return typeof value === "string" ? "text" : `a ${typeof value}`;
  if (typeof value === "string") return quoted(written ?? value);
  if (typeof value === "boolean") return value ? "true" : "false";
  return typeof value === "number" ? `the number ${value}` : "something else";
}

/** The text in quotes, truncated to 80 characters, with control characters escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** The text at `path` in quotes, as the file contains it: an expanded variable can be a secret. */
export function quotedAsWritten(tree: Tree, path: Path, text: string): string {
  return quoted(writtenAt(tree, path) ?? text);
}

/** `; did you mean "…"?`, or "" when no candidate is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const guess = nearest(word, candidates);
  return guess === undefined ? "" : `; did you mean ${quoted(guess)}?`;
}

/** `a, b or c` */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}
