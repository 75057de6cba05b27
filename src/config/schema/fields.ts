import { z } from "zod";
import { isCb58, type Sha256 } from "../../api/wire.ts";
import { parseDuration, parseSize } from "../base/units.ts";
import { tags, type Tag } from "./tags.ts";

/**
 * The kinds of values that sections are made of. A message of an issue says what is expected, as in "must be …"; the sentence
 * around it, with the field's name and what was found (unless `hidden`), is made in one place (describe-issue.ts). `hint` goes
 * behind it.
 */
function reject(context: z.RefinementCtx, expected: string, hint?: string, hidden = false): typeof z.NEVER {
  context.addIssue({ code: "custom", message: expected, params: { hint, hidden } });
  return z.NEVER;
}

/** Adds a complaint that is a whole sentence about the value at `path` below, or about its key. */
export function sentence(
  context: z.RefinementCtx,
  path: ReadonlyArray<string | number>,
  message: string,
  at: "key" | "value" = "key",
): void {
  context.addIssue({ code: "custom", message, path: [...path], params: { sentence: true, at } });
}

/** Makes a cross-field rule run whatever else is wrong, so that one run shows every problem. */
export const always = { when: () => true };

/** One line of text. */
export function text(description: string, longest = 200) {
  return z
    .string()
    .transform((value, context) => {
      if (value.trim() === "") return reject(context, "text that is not empty");
      if (value.length > longest) return reject(context, `text of ${longest} characters at most`);
      if (/[\u0000-\u001f\u007f]/.test(value)) return reject(context, "one line of text without control characters");
      return value;
    })
    .describe(description);
}

/** A text that nobody may see. */
export function secret(description: string, tag: Tag = {}) {
  const expected = "text that is not empty";
  return z
    .string()
    .min(1, { error: expected })
    .describe(description)
    .register(tags, { ...tag, secret: true });
}

/** The path of a file that holds a secret or PEM; relative paths count from the file that names them. */
export function file(description: string, kind: "secret" | "pem", tag: Tag = {}) {
  const error = "the path of a file";
  return z
    .string({ error })
    .min(1, { error })
    .describe(`${description} A relative path counts from the file that names it.`)
    .register(tags, { ...tag, file: kind });
}

/** Text to seconds; both bounds in seconds, printed as given. */
export function duration(description: string, [least, leastText]: Bound, [most, mostText]: Bound) {
  const expected = `a duration from ${leastText} to ${mostText} such as 15s, 5m or 1h30m`;
  return z
    .string({ error: expected })
    .transform((value, context) => {
      const seconds = parseDuration(value);
      if (seconds === undefined) {
        return reject(context, expected, /^\d+$/.test(value) ? "a unit is missing" : undefined);
      }
      return seconds < least || seconds > most ? reject(context, expected) : seconds;
    })
    .describe(`${description} From ${leastText} to ${mostText}, such as 15s, 5m or 1h30m.`);
}

export type Bound = readonly [seconds: number, text: string];

/** Text or number to bytes. */
export function size(description: string, [least, leastText]: Bound, [most, mostText]: Bound) {
  const expected = `a size from ${leastText} to ${mostText} such as 32MiB, 10MB or 1048576`;
  return z
    .union([z.string(), z.number()], { error: expected })
    .transform((value, context) => {
      const bytes = parseSize(String(value));
      return bytes === undefined || bytes < least || bytes > most ? reject(context, expected) : bytes;
    })
    .describe(`${description} From ${leastText} to ${mostText}, such as 32MiB, 10MB or 1048576.`);
}

/** A whole number within bounds. */
export function integer(description: string, least: number, most: number) {
  const error = `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error }).describe(description);
}

/** A share between 0 and 1. */
export function ratio(description: string) {
  const error = "a number from 0 to 1, such as 0.8 for 80 %";
  return z.number({ error }).min(0, { error }).max(1, { error }).describe(description);
}

/** `true` or `false`. */
export function flag(description: string) {
  return z.boolean().describe(description);
}

/** One of a few words; of many when `error` says what they are. */
export function choice<const T extends readonly [string, ...string[]]>(description: string, words: T, error?: string) {
  return z.enum(words, { error }).describe(description);
}

/** A list that may be left empty, as a heading whose items are commented out. */
export function listOf<T extends z.ZodType>(description: string, item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
    .describe(description);
}

/** A list whose entries count once each; `fallback` stands for an empty one. */
export function setOf<T extends z.ZodType>(description: string, item: T, fallback: ReadonlyArray<z.output<T>> = []) {
  return z
    .array(item)
    .nullish()
    .transform((items) => eachOnce(items === undefined || items === null || items.length === 0 ? fallback : items))
    .describe(description);
}

export const eachOnce = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** A mapping whose keys all have defaults: left out, or without content, it is the mapping of the defaults. */
export function section<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .prefault({} as never)
    .transform((value) => value ?? schema.parse({}));
}

/** The entries that have a value, for what is to be absent rather than `undefined`. */
export function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const MISTYPED = "checksum wrong: mistyped?";
const CB58 = /^[1-9A-HJ-NP-Za-km-z]{30,64}$/;

/** A node ID: `NodeID-` and 20 bytes with their checksum. */
export function nodeId(description: string, sha256: Sha256) {
  const expected = "a node ID such as NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
  return z
    .string({ error: expected })
    .transform((value, context) => {
      const prefixed = value.startsWith("NodeID-");
      if (prefixed && isCb58(value.slice(7), 20, sha256)) return value;
      const hint = prefixed ? MISTYPED : isCb58(value, 20, sha256) ? "NodeID- is missing in front" : undefined;
      return reject(context, expected, hint);
    })
    .describe(description);
}

/** A subnet or blockchain ID: 32 bytes with their checksum. */
export function id(description: string, what: string, sha256: Sha256) {
  const expected = `a ${what} (in cb58, as the node prints it)`;
  return z
    .string({ error: expected })
    .transform((value, context) =>
      isCb58(value, 32, sha256) ? value : reject(context, expected, CB58.test(value) ? MISTYPED : undefined),
    )
    .describe(description);
}

const ADDRESS_EXPECTED = 'an address P-…, C-… (bech32) or "0x…" (40 hex digits, in quotes)';
/** bech32's data part; its checksum is left to the node, which says so when it is wrong. */
const ADDRESS = /^([PC]-[a-z]{1,20}1[02-9ac-hj-np-z]{38}|0x[0-9a-fA-F]{40})$/;

/** A wallet address of the P-Chain, of atomic UTXOs on C, or of an EVM chain. */
export function address(description: string) {
  return z.string({ error: ADDRESS_EXPECTED }).regex(ADDRESS, { error: ADDRESS_EXPECTED }).describe(description);
}

/** A base URL; comes out without a trailing slash. */
export function baseUrl(description: string) {
  return z
    .string({ error: URL_EXPECTED })
    .transform((value, context) => {
      const fault = urlFault(value);
      // Credentials and keys hide in front of an @ and in queries.
      if (fault !== undefined) return reject(context, fault[0], fault[1], /[@?#]/.test(value));
      const { origin, pathname } = new URL(value);
      return origin + pathname.replace(/\/+$/, "");
    })
    .describe(description);
}

const URL_EXPECTED = "a URL such as http://127.0.0.1:9650";

function urlFault(value: string): [expected: string, hint?: string] | undefined {
  if (!/^https?:\/\/[^/\s]/i.test(value)) {
    const bare = /^[A-Za-z0-9.-]+:\d{1,5}$/.test(value) || /^\[[0-9A-Fa-f:]+\]:\d{1,5}$/.test(value);
    return [URL_EXPECTED, bare ? "http:// or https:// is missing in front" : "it must start with http:// or https://"];
  }
  if (/\s/.test(value) || !URL.canParse(value)) {
    const port = /^https?:\/\/[^/@]*:(\d+)(\/|$)/i.exec(value)?.[1];
    return port !== undefined && Number(port) > 65_535 ? [URL_EXPECTED, "ports end at 65535"] : [URL_EXPECTED];
  }
  const { username, password } = new URL(value);
  if (username !== "" || password !== "") return ["a URL without user name and password", "use basic_auth for them"];
  if (/[?#]/.test(value)) return ["a URL without query (?) and fragment (#)"];
  return undefined;
}
