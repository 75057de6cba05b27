import fc from "fast-check";
import type { Reply } from "../../e2e/support/recording-server.ts";
import { greatest, long, longer } from "./lies.ts";
import type { Made } from "./answering-client.ts";

/** What is done to one recorded answer. `at` picks a place in it, whatever its size. */
export type Mutation = {
  readonly edits: readonly Edit[];
  readonly bytes: Bytes;
  readonly status: number;
  readonly nodeId: string | undefined;
};
type Edit = { readonly at: number; readonly kind: Kind; readonly value: unknown };
type Kind = (typeof KINDS)[number];
type Bytes = { readonly kind: "none" | "cut" | "flip" | "reset" | "bom" | "repeat" | "empty"; readonly at: number };

const KINDS = [
  "replace",
  "replace",
  "replace",
  "number",
  "text",
  "remove",
  "repeat",
  "rename",
  "wrap",
  "grow",
  "flood",
  "flood",
] as const;

/** Values at the edges of every type that a reader could expect. */
const EDGES: readonly unknown[] = [
  ...[null, true, false, "", 0, -0, -1, 0.5, -0.5, 50, 1e-320, 1e15, 2 ** 53, 2 ** 64, 1e21, 1e306, -1e306, 1e308],
  ...["0", "-1", "1e3", "NaN", "Infinity", "-Infinity", "9007199254740993", "18446744073709551615"],
  ...["18446744073709551616", "340282366920938463463374607431768211455", "0x", "0x0", "0x-1", "0xffffffffffffffff"],
  ...[`0x${"f".repeat(64)}`, "0x20000000000000", "1.5", "100.0001", "-0", "+5", " 5 ", "５"],
  ...[
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "1969-12-31T23:59:59Z",
    "30000-01-01T00:00:00Z",
    "2026-02-30T25:61:61Z",
  ],
  ...["-5s", "0s", "1h", "9999999h", `${"9".repeat(309)}h`, "ns", "1m-3s"],
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "prototype", "valueOf"],
  ...["NodeID-111111111111111111116DBWJs", "primary", "P", "C", "X", "mainnet", "local", "other"],
  ...["\u001b[31m", "\u202egnp", "\u0000", "\ud800", 'a"\n\\{}', "<script>", "x".repeat(5_000), "\u200f\u2066"],
  ...[[], {}, [[]], [null], { a: 1 }, Array.from({ length: 300 }, (_, i) => i)],
];

const anyValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.bigInt(0n, 2n ** 70n).map(String) },
  {
    weight: 1,
    arbitrary: fc.array(fc.nat(0x10ffff), { maxLength: 20 }).map((points) => String.fromCodePoint(...points)),
  },
);

const edit = fc.record({ at: fc.nat(), kind: fc.constantFrom(...KINDS), value: anyValue });

const NONE: Bytes = { kind: "none", at: 0 };

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  edits: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(edit, { minLength: 1, maxLength: 4 }) },
  ),
  bytes: fc.oneof(
    { weight: 30, arbitrary: fc.constant(NONE) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom("cut", "flip", "reset", "bom", "repeat", "empty"), at: fc.nat() }),
    },
  ),
  status: fc.oneof(
    { weight: 40, arbitrary: fc.constant(200) },
    { weight: 1, arbitrary: fc.constantFrom(204, 301, 400, 401, 403, 404, 413, 429, 500, 502, 503, 999) },
  ),
  nodeId: fc.oneof(
    { weight: 60, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("", "__proto__", "NodeID-111111111111111111116DBWJs", "x".repeat(9_000)) },
  ),
});

/** The answer with its mutations. A status of its own stays unless another one is drawn. */
export function mutated({ status, headers, body }: Reply, made: Mutation): Made {
  const bytes = Buffer.from(made.edits.length === 0 ? body : edited(body, made.edits));
  return {
    status: made.status === 200 ? status : made.status,
    headers: made.nodeId === undefined ? headers : { ...headers, "node-id": made.nodeId },
    body: damaged(bytes, made.bytes),
    ...(made.bytes.kind === "reset" ? { broken: "ECONNRESET" } : {}),
  };
}

function damaged(bytes: Buffer, { kind, at }: Bytes): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  switch (kind) {
    case "none":
    case "reset":
      return bytes;
    case "cut":
      return bytes.subarray(0, place);
    case "flip": {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[place] = (copy[place] ?? 0) ^ (1 << (at & 7));
      return copy;
    }
    case "bom":
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case "repeat":
      return Buffer.concat([bytes, bytes]);
    case "empty":
      return Buffer.alloc(0);
  }
}

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

function edited(body: string, edits: readonly Edit[]): string {
  let root: { root: unknown };
  try {
    root = { root: JSON.parse(body) };
  } catch {
    return body;
  }
  for (const each of edits) {
    const places = placesOf(root);
    const place = places[each.at % places.length];
    if (place !== undefined) apply(place, each);
  }
  return JSON.stringify(root.root) ?? "";
}

/** Every value of a JSON document with the object or list that holds it. */
function placesOf(holder: Record<string, unknown>, found: Place[] = []): Place[] {
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    const inner = holder[key];
    if (typeof inner === "object" && inner !== null) placesOf(inner as Record<string, unknown>, found);
  }
  return found;
}

/** Sets a field, also one with the name `__proto__`. */
function set(holder: Record<string, unknown>, key: string, item: unknown): void {
  Object.defineProperty(holder, key, { value: item, writable: true, enumerable: true, configurable: true });
}

function apply({ holder, key }: Place, { kind, value, at }: Edit): void {
  const old = holder[key];
  // The same list is drawn many times, and later edits change it in place.
  const next = structuredClone(value);
  switch (kind) {
    case "replace":
      return set(holder, key, next);
    case "number":
      return set(holder, key, typeof old === "string" ? String(next) : Number(next));
    case "text":
      return set(
        holder,
        key,
        typeof old === "string" ? old.slice(0, at % (old.length + 1)) + String(next) : String(next),
      );
    case "remove":
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case "repeat":
      if (Array.isArray(old) && old.length > 0) old.push(...(old as unknown[]).slice(0, 50));
      return;
    case "rename":
      if (Array.isArray(holder) || typeof next !== "string") return;
      delete holder[key];
      return set(holder, next, old);
    case "wrap":
      return set(holder, key, at % 2 === 0 ? [old] : { value: old });
    case "flood":
      // Of the type that the field has, so that the schema takes it: a long text, the greatest number, many names.
      if (typeof old === "object") return set(holder, key, longer(old, at));
      return set(holder, key, typeof old === "string" && !/^\d+$|^0x/.test(old) ? long(old, at) : greatest(old, at));
    case "grow":
      if (Array.isArray(old)) for (let i = 0; i < 40; i++) old.push(next);
      else if (typeof old === "object" && old !== null)
        for (let i = 0; i < 40; i++)
          set(old as Record<string, unknown>, `${typeof next === "string" ? next.slice(0, 20) : "k"}${at}-${i}`, next);
  }
}
