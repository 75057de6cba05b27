/** Lies of one node: what its reader takes for true, the same in all answers of a round. */

export const LIES = ["future", "ahead", "greatest", "long text", "long list", "others"] as const;
export type Lie = { readonly kind: (typeof LIES)[number]; readonly at: number };

/** Characters of a text, and items of a list: an answer stays below 1 MB, which a turn of the event loop can read. */
const MOST_LETTERS = 30_000;
const MOST_ITEMS = 150;

const GREATEST = [1e9, 2 ** 31, 2 ** 53, 2 ** 63, 2 ** 64, 1e21, 1e77];
/** Blocks below the bound of any margin and far above. */
const AHEAD = [40, 90, 1_000, 9e11];
/** Seconds, of which the last is 2188. */
const LATER = [400, 3_600, 86_400, 5.2e9];
/** The blocks of a head that is ahead were made within the tolerated skew. Seconds. */
const MINUTE = 60;
const HEIGHT = /^(height|number|lastAccepted\w*|blockNumber|result)$/;

/** What one node says of others, by the name of the field. */
const OF_OTHERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  connected: () => false,
  uptime: () => "0",
  observedUptime: () => "0",
  publicKey: (value) => String(value).replace(/.$/, (last) => (last === "0" ? "1" : "0")),
  balance: () => "0",
  weight: () => "1000000000000000",
  price: () => "512000000",
  validators: () => [],
  peers: () => [],
  trackedSubnets: () => [],
  supportedACPs: () => [],
};

/** The answer with the lie in a third of the names of its fields, another third for another `at`. */
export function lied(body: string, lie: Lie): string {
  try {
    return JSON.stringify(changed({ body: JSON.parse(body) as unknown }, lie).body);
  } catch {
    return body;
  }
}

function changed<T extends object>(holder: T, lie: Lie): T {
  const entries = Object.entries(holder).map(([key, value]: [string, unknown]): [string, unknown] => {
    const inner = typeof value === "object" && value !== null ? changed(value, lie) : value;
    return [key, isMeant(key, lie) ? told(key, inner, lie) : inner];
  });
  return (Array.isArray(holder) ? entries.map(([, value]) => value) : Object.fromEntries(entries)) as T;
}

/** The envelope is no field. */
const isMeant = (key: string, { at }: Lie): boolean =>
  key !== "id" && key !== "jsonrpc" && [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), at) % 3 === 0;

function told(key: string, value: unknown, { kind, at }: Lie): unknown {
  switch (kind) {
    case "future":
      return later(value, LATER[at % LATER.length] ?? 0) ?? value;
    case "ahead":
      return (HEIGHT.test(key) ? more(value, AHEAD[at % AHEAD.length] ?? 0) : later(value, MINUTE)) ?? value;
    case "greatest":
      return greatest(value, at);
    case "long text":
      return typeof value === "string" && !/^[\d-]|^0x/.test(value) ? long(value, at) : value;
    case "long list":
      return longer(value, at);
    case "others":
      return OF_OTHERS[key]?.(value) ?? value;
  }
}

/** The greatest number of the form that a field has; any other value stays. */
export function greatest(value: unknown, at: number): unknown {
  const most = GREATEST[at % GREATEST.length] ?? 0;
  if (typeof value === "number") return most;
  if (typeof value !== "string") return value;
  if (value.startsWith("0x")) return `0x${"f".repeat([8, 16, 17, 32, 64][at % 5] ?? 16)}`;
  return /^\d+$/.test(value) ? String(most) : value;
}

export const long = (value: string, at: number): string =>
  `${value.slice(0, 100)}${at}`.repeat(1 + (at % 20_000)).slice(0, MOST_LETTERS);

/** A list or map with many more of its items, each with other texts or another name; any other value stays. */
export function longer(value: unknown, at: number): unknown {
  if (typeof value !== "object" || value === null || JSON.stringify(value).length > MOST_LETTERS) return value;
  if (Array.isArray(value)) {
    if (JSON.stringify(value[0] ?? value).length >= (5 * MOST_LETTERS) / MOST_ITEMS) return value;
    return [...(value as unknown[]), ...Array.from({ length: MOST_ITEMS }, (_, i) => named(value[0], `${at}-${i}`))];
  }
  const [name, item] = Object.entries(value).find(([, each]) => typeof each !== "object") ?? [];
  if (name === undefined) return value;
  const many = Array.from({ length: MOST_ITEMS }, (_, i): [string, unknown] => [`${at}-${i}${name}`, item]);
  return { ...value, ...Object.fromEntries(many) };
}

/** A copy whose texts that are no numbers have another end. */
function named(value: unknown, end: string): unknown {
  if (typeof value === "string") return /^[\d-]/.test(value) ? value : `${value}${end}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(item, end)]));
}

/** A number in the form that it has, and some more; `undefined` for what is none. */
function more(value: unknown, by: number): unknown {
  if (typeof value === "number") return value + by;
  if (typeof value !== "string" || !/^(\d{1,15}|0x[\da-f]{1,12})$/.test(value)) return undefined;
  const sum = Number(value) + by;
  return value.startsWith("0x") ? `0x${sum.toString(16)}` : String(sum);
}

/** A time in the form that it has, seconds later; `undefined` for what is no time of these years. */
function later(value: unknown, by: number): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : new Date(time + by * 1000).toISOString();
  }
  const time = typeof value === "number" || typeof value === "string" ? Number(value) : 0;
  if (time > 1.7e9 && time < 1.9e9) return more(value, by);
  return time > 1.7e12 && time < 1.9e12 ? more(value, by * 1000) : undefined;
}
