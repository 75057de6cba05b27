import { bounded } from "../bounded.ts";
import { KNOWN_FIELDS } from "./known-names.ts";

/**
 * Names in the answers of a node that no known release sends: whoever maintains the exporter learns of a change upstream from the
 * first node that has it.
 */

/** `field`: of an answer; `check`: of its health; `refused`: an endpoint that known releases serve; `release`: newer than the known ones. */
export type Unknown = { readonly kind: "check" | "field" | "refused" | "release"; readonly name: string };

/** Gets each answer as it came, with the name of its method. @param at Unix seconds */
export type Look = (method: string, value: unknown, at: number) => void;

/** Names of one answer, and characters of one: a node that makes up names must not fill the memory. */
const MOST = 50;
const LONGEST = 120;

/** Known fields by name; one of `*` has an ID or a number. */
type Fields = ReadonlyMap<string, Fields>;
/** Below it no fields are compared. */
const ANY = "**";

/** A key that is no name: an ID, a number, or the alias of a chain of the Primary Network. */
const SUBJECT = /^(?:[PXC]|\d{1,20}|[1-9A-HJ-NP-Za-km-z]{43,52})$/;

const NO_FIELDS: Fields = new Map();
const read = new Map<string, Fields>();

/** The known fields of a method. The methods of the health API answer the same. */
function fieldsOf(method: string): Fields {
  const name = /^health\.|^GET \/ext\/health/.test(method) ? "GET /ext/health" : method;
  const known = read.get(name) ?? parsed(KNOWN_FIELDS[name] ?? "");
  read.set(name, known);
  return known;
}

/** `a,b{c}` as a tree. */
function parsed(text: string): Fields {
  let last = new Map<string, Fields>();
  const within = [last];
  for (const [part] of text.matchAll(/[{}]|[^,{}]+/g)) {
    if (part === "{") within.push(last);
    else if (part === "}") within.pop();
    else within.at(-1)?.set(part, (last = new Map()));
  }
  return within[0] ?? NO_FIELDS;
}

/**
 * The names of an answer that are new, without their values.
 * @param isChain whether a health check is that of a chain, which its operator can have named
 */
export function unknownNames(
  method: string,
  answer: unknown,
  isChain: (name: string, check: unknown) => boolean,
): readonly Unknown[] {
  const found = new Map<string, Unknown>();
  const walk = (value: unknown, fields: Fields, path: string): void => {
    if (typeof value !== "object" || value === null || fields.has(ANY) || found.size === MOST) return;
    // A list in a list has no fields of its own: nothing here is as deep as an answer can be.
    if (Array.isArray(value)) {
      for (const each of value) if (!Array.isArray(each)) walk(each, fields, path);
      return;
    }
    for (const key of Object.keys(value)) {
      const field = (value as Readonly<Record<string, unknown>>)[key];
      const isCheck = path === "checks.";
      const known =
        fields.get(key) ?? (SUBJECT.test(key) || (isCheck && isChain(key, field)) ? fields.get("*") : undefined);
      const whole = `${path}${key}`;
      if (known !== undefined) walk(field, known, `${whole}.`);
      else if (found.size < MOST && !found.has(whole))
        found.set(whole, {
          kind: isCheck ? "check" : "field",
          name: bounded(isCheck ? key : `${method} ${whole}`, LONGEST),
        });
    }
  };
  walk(answer, fieldsOf(method), "");
  return [...found.values()];
}
