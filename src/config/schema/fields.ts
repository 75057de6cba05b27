import { z } from "zod";
import { tokensOf } from "../../api/hide-secrets.ts";
import { parseDuration, parseSize } from "../base/units.ts";
import { type Tag, tags } from "./shape.ts";

/**
 * Adds an issue whose message is the expected value, as in "must be …". parse-tree.ts adds the field's name, the value that
 * was found (unless `hidden`) and the `hint`.
 */
export function reject(context: z.RefinementCtx, expected: string, hint?: string, hidden = false): typeof z.NEVER {
  context.addIssue({ code: "custom", message: expected, params: { hint, hidden } });
  return z.NEVER;
}

/** Adds an issue that is a complete sentence about the value or key at the relative `path`. */
export function sentence(
  context: z.RefinementCtx,
  path: ReadonlyArray<string | number>,
  message: string,
  at: "key" | "value" = "key",
): void {
  context.addIssue({ code: "custom", message, path: [...path], params: { sentence: true, at } });
}

/** Runs a cross-field rule even after other issues, so that one run reports every problem. */
export const always = { when: (): boolean => true };

/** A field whose value has the type that the file has. Builders of fields say what they give, not how zod builds it. */
export type Field<T> = z.ZodType<T, T>;
type Items<T extends z.ZodType> = z.ZodType<Array<z.output<T>>>;

/** A text that matches a pattern. `error` describes the expected value. */
export function matching(description: string, pattern: RegExp, error: string): Field<string> {
  return z.string({ error }).regex(pattern, { error }).describe(description);
}

/** One line of text. */
export function text(description: string, longest = 200): Field<string> {
  return z
    .string()
    .transform((value, context) => {
      if (value.trim() === "") return reject(context, "non-empty text");
      if (value.length > longest) return reject(context, `text of at most ${longest} characters`);
      if (/[\u0000-\u001f\u007f]/.test(value)) return reject(context, "one line of text without control characters");
      return value;
    })
    .describe(description);
}

/** A text that is never displayed. */
export function secret(description: string, tag: Tag = {}): Field<string> {
  return z
    .string()
    .min(1, { error: "non-empty text" })
    .describe(description)
    .register(tags, { ...tag, secret: true });
}

/** The path of a file with a secret or PEM; relative paths are resolved from the file that contains them. */
export function file(description: string, kind: "secret" | "pem", tag: Tag = {}): Field<string> {
  const error = "the path of a file";
  return z
    .string({ error })
    .min(1, { error })
    .describe(`${description} A relative path starts at the folder of the file that contains it.`)
    .register(tags, { ...tag, file: kind });
}

const DURATIONS = "15s, 5m or 1h30m";
const SIZES = "32MiB, 10MB or 1048576";

/** A text that is parsed to a number between two limits. */
export function measure<T extends string | number>(
  input: z.ZodType<T, T>,
  examples: string,
  parse: (text: string) => number | undefined,
): (description: string, least: string, most: string) => z.ZodType<number, T> {
  return (description: string, least: string, most: string) => {
    const [from = 0, to = 0] = [parse(least), parse(most)];
    return input
      .transform((value, context) => {
        const parsed = parse(String(value));
        if (parsed !== undefined && parsed >= from && parsed <= to) return parsed;
        return reject(context, `a value from ${least} to ${most} such as ${examples}`);
      })
      .describe(`${description} From ${least} to ${most}, such as ${examples}.`);
  };
}

/**
 * A duration. Output: seconds. As every field of this file it gives an option its check, text and JSON Schema.
 * @example
 * z.strictObject({
 *   interval: duration("Seconds between two polls.", "1s", "1h").prefault("15s"),
 *   timeout: duration("Deadline of a poll.", "1s", "1m").optional(),
 * });
 */
export const duration = measure(z.string({ error: `a duration such as ${DURATIONS}` }), DURATIONS, parseDuration);

/** A size, as text or as a number of bytes. Output: bytes. */
export const size = measure(z.union([z.string(), z.number()], { error: `a size such as ${SIZES}` }), SIZES, parseSize);

export function integer(description: string, least: number, most: number): Field<number> {
  const error = `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error }).describe(description);
}

/** A number from 0. `error` describes the expected value. */
export function number(description: string, most: number, error: string): Field<number> {
  return z.number({ error }).min(0, { error }).max(most, { error }).describe(description);
}

export function flag(description: string): Field<boolean> {
  return z.boolean().describe(description);
}

/** One of the words. `error` replaces the list of words in messages. */
export function choice<const T extends string>(description: string, words: readonly T[], error?: string): Field<T> {
  return z.enum(words, { error }).describe(description);
}

/** A list. An empty key, such as a heading whose items are commented out, is an empty list. */
export function listOf<T extends z.ZodType>(description: string, item: T): Items<T> {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
    .describe(description);
}

/** A list whose absence means something else than an empty list. */
export function listOrNone<T extends z.ZodType>(description: string, item: T): z.ZodOptional<z.ZodNullable<Items<T>>> {
  return z.array(item).nullish().describe(description);
}

/** A mapping by names. An empty key is an empty mapping. */
export function mapOf<T extends z.ZodType>(
  description: string,
  value: T,
  name: z.ZodType<string, string> = z.string(),
): z.ZodType<Record<string, z.output<T>>> {
  return z
    .record(name, value)
    .nullish()
    .transform((values) => values ?? {})
    .describe(description);
}

/** A list without duplicates; an empty list becomes `none`. */
export function setOf<T extends z.ZodType>(
  description: string,
  item: T,
  none: ReadonlyArray<z.output<T>> = [],
): Items<T> {
  return z
    .array(item)
    .nullish()
    .transform((items) => eachOnce(items === undefined || items === null || items.length === 0 ? none : items))
    .describe(description);
}

export const eachOnce = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** A mapping whose keys all have defaults. When it is missing or empty, all defaults apply. */
export function section<T extends z.ZodType>(schema: T): z.ZodType<z.output<T>> {
  return schema
    .nullish()
    .prefault({} as never)
    .transform((value) => value ?? schema.parse({}));
}

/** Removes the entries that are `undefined`. */
export function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const URL_EXPECTED = "a URL such as http://127.0.0.1:9650";
const PLAIN_URL = "a URL without user name, password, query (?) and fragment (#)";

/** A base URL. Output: the URL without trailing slashes. */
export function baseUrl(description: string): Field<string> {
  return z
    .string({ error: URL_EXPECTED })
    .transform((value, context) => {
      // The part before an @ and the query can contain credentials.
      const hidden = /[@?#]/.test(value) || tokensOf(value).length > 0;
      if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(value) || !URL.canParse(value))
        return reject(context, hidden ? PLAIN_URL : URL_EXPECTED, undefined, hidden);
      const { origin, pathname } = new URL(value);
      return origin + pathname.replace(/\/+$/, "");
    })
    .describe(description)
    .register(tags, { url: true });
}

const PROXY_EXPECTED =
  "the URL of a proxy such as http://proxy.example.org:3128, with a user name and a password or without";

/** The proxy of a server. Output: the URL with its credentials. */
export const proxyFields = {
  proxy_url: z
    .string({ error: PROXY_EXPECTED })
    .transform((value, context) => {
      if (/^https?:\/\/([^\s/?#@]+@)?[^\s/?#@]+\/?$/i.test(value) && URL.canParse(value)) return value;
      return reject(context, PROXY_EXPECTED, undefined, true);
    })
    .describe("Proxy of all requests; `${HTTPS_PROXY}` takes it from the environment. Default: none.")
    .register(tags, { url: true })
    .optional(),
  no_proxy: text("Hosts that are reached without the proxy, separated by commas; `*` is all.", 10_000).optional(),
};

type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** The mapping with its keys in camel case: `max_pages` becomes `maxPages`. */
type CamelKeys<T> = { [Key in keyof T as Camel<Key>]: T[Key] };

/** Renames the keys of a mapping; nested mappings keep theirs. */
export function camelKeys<T extends object>(mapping: T): CamelKeys<T> {
  const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(mapping).map(([key, value]) => [camel(key), value as unknown]),
  ) as CamelKeys<T>;
}
