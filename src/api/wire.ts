import { z } from "zod";
import { isLate, LATE } from "./is-late.ts";

/**
 * JSON types of nodes and hosted services, converted to the units of the metrics.
 * Sources: the node specification ("Request and response envelope") and answers of AvalancheGo.
 */

const DECIMAL = /^\d{1,20}$/;
const FLOAT = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const UINT64_MAX = 2n ** 64n - 1n;

/** uint64 as a decimal string or a number; `undefined` for anything else. `JSON.parse` has already rounded a number beyond 2^53. */
export function wholeOf(value: unknown): bigint | undefined {
  const isText = typeof value === "string" && DECIMAL.test(value);
  if (!isText && !(typeof value === "number" && Number.isInteger(value) && value >= 0)) return undefined;
  const parsed = BigInt(value);
  // JSON.parse rounds the number 2^64-1 up to 2^64, which is read as the maximum.
  if (parsed > UINT64_MAX + 1n) return undefined;
  return parsed > UINT64_MAX ? UINT64_MAX : parsed;
}

/** Makes a value invalid, for what is wrong at a path in it. */
type Refuse = (message: string, path?: PropertyKey[]) => void;

/**
 * A schema whose values are replaced by what `map` makes of them. By a check: after the library's `transform` a union has no more than
 * "Invalid input" where one of its members refused a value with a reason, and the log and the status page show that reason.
 */
export function mapped<I, O>(schema: z.ZodType<I>, map: (value: I, refuse: Refuse) => O): z.ZodType<O> {
  const checked = schema.check((payload: { value: unknown; readonly issues: z.core.$ZodRawIssue[] }) => {
    // A refinement that failed does not keep the library from further checks.
    if (payload.issues.length > 0) return;
    const input = payload.value;
    payload.value = map(input as I, (message, path = []) => {
      payload.issues.push({ code: "custom", message, path, input });
    });
  });
  return checked as z.ZodType as z.ZodType<O>;
}

/** Reads the value of a schema; where `read` gives `undefined`, the value is invalid. */
export function readBy<I, O>(schema: z.ZodType<I>, read: (value: I) => O | undefined, message: string): z.ZodType<O> {
  return mapped(schema, (input, refuse) => {
    const value = read(input);
    if (value === undefined) refuse(message);
    return value as O;
  });
}

/** Characters of a text of a server that are kept: no ID, version, name or key is longer. */
const LONGEST_TEXT = 200;

/** A text as it is kept. Cut to a copy: the engine makes `slice` a view that keeps the whole text. */
export function keptText(text: string): string {
  return text.length <= LONGEST_TEXT ? text : Buffer.from(text.slice(0, LONGEST_TEXT)).toString();
}

/** A text, cut where it is longer than any that a node has. */
export const text = mapped(z.string(), keptText);

/** A number, or its text. */
export const textOrNumber = z.union([z.string(), z.number()]);

/** uint64 as a bigint. */
export const uint64 = readBy(textOrNumber, wholeOf, "not an unsigned 64-bit integer");

/** As `wholeOf`, as a double. */
export function countOf(value: unknown): number | undefined {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  const whole = wholeOf(value);
  return whole === undefined ? undefined : Number(whole);
}

/**
 * The most that a figure can plausibly be, far above any real one. More is a lie or a defect and makes its field invalid: one such figure
 * would stay in a counter, and every sum and panel with it would show nothing else.
 */
export const MOST = {
  /** What a server counts: peers, delegators, waiting transactions, bytes of a block. */
  counted: 1e9,
  /** nAVAX: 10^10 AVAX. The supply of the public networks is capped at 7.2·10^8 AVAX; 2^64 - 1 is above. */
  navax: 10n ** 19n,
  /** Coins that an address holds or a price counts: the coins of an L1 can have any supply. */
  coins: 1e18,
  /** wei for a unit of gas: one coin. */
  gasPrice: 1e18,
  /** Gas that a block can have: an L1 chooses it. */
  gasLimit: 2 ** 63,
  /** Gas of one block; C-Chain blocks have some 10^8. */
  blockGas: 1e12,
  /** wei of the fees of one block: 10^9 coins. */
  blockFees: 10n ** 27n,
  /** A chain since its genesis: people, contracts. */
  users: 1e11,
  transactions: 1e15,
  /** Gas of a chain in a month, and wei of its fees. */
  monthGas: 1e24,
  monthFees: 1e30,
  /** Each second. */
  rate: 1e12,
};

/** Refuses more than a plausible maximum. */
export function atMost<T extends number | bigint>(schema: z.ZodType<T>, most: NoInfer<T>): z.ZodType<T> {
  return schema.refine((value) => value <= most, `more than ${most}, which cannot be`);
}

/** An integer as a double: heights, counts, weights without unit. */
export const count = readBy(textOrNumber, countOf, "not an unsigned 64-bit integer");

/** What a server counts. */
export const tally = atMost(count, MOST.counted);

/** As `tally`; `undefined` for anything else. */
export const tallyOf = (value: unknown): number | undefined => tally.safeParse(value).data;

/** The height of a block. Beyond 2^53 the next height is the same double: what counts from block to block would not end. */
export const height = count.refine(Number.isSafeInteger, "a height beyond 2^53");

/** nAVAX as a string or number, in AVAX. */
export const navax = mapped(atMost(uint64, MOST.navax), toAvax);

/** AVAX from nAVAX. */
export function toAvax(amount: bigint): number {
  return scaled(amount, 9);
}

/** An amount / 10^decimals. The whole part and the fraction are split before either becomes a double, to keep digits. */
export function scaled(amount: bigint, decimals: number): number {
  const unit = 10n ** BigInt(decimals);
  return Number(amount / unit) + Number(amount % unit) / Number(unit);
}

/** A float as a number or a string (`"99.9876"`); `undefined` for anything else. */
export function doubleOf(value: unknown): number | undefined {
  const parsed = typeof value === "string" && FLOAT.test(value) ? Number(value) : value;
  return typeof parsed === "number" && Number.isFinite(parsed) ? parsed : undefined;
}

/** A float. */
export const float = readBy(textOrNumber, doubleOf, "not a finite number");

/** Room above 1 and below 0 for the rounding of a sum of shares. */
const ROUNDING = 1e-6;
const OUT_OF_RANGE = "a share below 0 or above 1";

/** A ratio as a number or a string. What rounding puts outside 0 to 1 is cut off; other values are invalid. */
export const ratio = readBy(float, cutOff, OUT_OF_RANGE);

/** As `ratio`; `undefined` for anything else. */
export const ratioOf = (value: unknown): number | undefined => cutOff(doubleOf(value));

/** As `percent`; `undefined` for anything else. */
export function percentOf(value: unknown): number | undefined {
  const percents = doubleOf(value);
  return percents === undefined ? undefined : claimedRatio(percents);
}

/** Percent as a ratio; a number outside the range is unknown: what one peer claims must not fail the answer about all. */
export const claimedRatio = (percents: number): number | undefined => cutOff(ratioOfPercent(percents));

/** Percent (0 to 100) as a ratio (0 to 1), with the same range. */
export const percent = readBy(float, claimedRatio, OUT_OF_RANGE);

function cutOff(value = NaN): number | undefined {
  return value >= -ROUNDING && value <= 1 + ROUNDING ? Math.min(1, Math.max(0, value)) : undefined;
}

/** Percent to ratio, rounded to 12 decimals, so that 99.9876 becomes 0.999876 exactly. */
export function ratioOfPercent(value: number): number {
  return Number.isInteger(value) ? value / 100 : Number((value / 100).toFixed(12));
}

/** 2200-01-01: no time of a node or of a stake is later. */
const LATEST = 7_258_118_400;
const AFTER_2200 = "a time after 2200";

/** Whether a time, Unix seconds, is so late that it means "not scheduled". */
export function isNever(time: number): boolean {
  return time >= LATEST;
}

/** 2015-01-01: no node, stake or block of a public network is older. A time before it was never set, such as 0. */
const EARLIEST = 1_420_070_400;

/** A time, Unix seconds; `undefined` before 2015, which is a time that was never set. */
export function setTime(seconds: number): number | undefined {
  return seconds < EARLIEST ? undefined : seconds;
}

/** Unix seconds as a string or number, up to 2200; `undefined` where it was never set. */
export const unixTime = mapped(
  count.refine((seconds) => !isNever(seconds), AFTER_2200),
  setTime,
);

/** As `unixTime`, of the past. */
export const pastTime = unixTime.refine((seconds) => !isLate(seconds), LATE);

const RFC3339 = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** As `timestamp`, of something that may never happen: a time after 2200 passes (`isNever`). */
export const plannedTime = mapped(readBy(z.string(), parseTimestamp, "not an RFC 3339 time"), (seconds) =>
  seconds <= 0 ? undefined : seconds,
);

/**
 * RFC 3339 with any offset and up to nine decimals, of the past, in Unix seconds; `undefined` for times that were never set: Go's year
 * 0001, or 1970.
 */
export const timestamp = mapped(
  plannedTime.refine((seconds) => seconds === undefined || !isNever(seconds), AFTER_2200),
  (seconds) => (seconds === undefined ? undefined : setTime(seconds)),
).refine((seconds) => !isLate(seconds), LATE);

/** As `timestamp`; `undefined` for anything else. */
export function timeOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? parseTimestamp(value) : undefined;
  return seconds === undefined || isNever(seconds) ? undefined : setTime(seconds);
}

/** Unix seconds of an RFC 3339 time with microsecond precision (the limit of a double); `undefined` if the text is invalid. */
export function parseTimestamp(value: string): number | undefined {
  // Tested and not matched: the times of all peers are read, and each match would be an array.
  if (!RFC3339.test(value)) return undefined;
  const milliseconds = Date.parse(value.toUpperCase());
  if (!Number.isFinite(milliseconds)) return undefined;
  return (Math.floor(milliseconds / 1000) * 1e6 + microsOf(value)) / 1e6;
}

/** Microseconds of up to nine decimals after the point of a time, the last three cut off; 0 without a point. */
function microsOf(time: string): number {
  const point = time.indexOf(".");
  return point < 0 ? 0 : Math.round(Number.parseFloat(time.slice(point, point + 7)) * 1e6);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** The `Date` header of a reply, in whole Unix seconds; `undefined` if absent or invalid, which does not fail the answer. */
export function dateOf(value: unknown): number | undefined {
  const milliseconds = typeof value === "string" && HTTP_DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined;
}
export const httpDate = mapped(z.unknown(), dateOf);

const DURATION_PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;
const SECONDS_OF: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** A Go duration string (`"1m3.5s"`, `"66.90725ms"`, `"312.5µs"`), in seconds. */
export const goDuration = readBy(z.string(), parseGoDuration, "not a Go duration");

/** Seconds of a Go duration string; `undefined` if invalid. Source: Go `time.ParseDuration`. */
export function parseGoDuration(value: string): number | undefined {
  const negative = value.startsWith("-");
  const text = negative || value.startsWith("+") ? value.slice(1) : value;
  if (text === "0") return 0;
  if (text === "") return undefined;
  let seconds = 0;
  let end = 0;
  DURATION_PART.lastIndex = 0;
  for (let part = DURATION_PART.exec(text); part !== null; part = DURATION_PART.exec(text)) {
    seconds += Number(part[1]) * (SECONDS_OF[part[2] ?? ""] ?? NaN);
    end = DURATION_PART.lastIndex;
  }
  if (end !== text.length || !(seconds <= LONGEST)) return undefined;
  const rounded = Number(seconds.toPrecision(15));
  return negative ? -rounded : rounded;
}

/** Longest duration, seconds: a century. */
const LONGEST = 3_155_760_000;

/** Nanoseconds as a number or a string, in seconds: 0 to a century; `undefined` for anything else. */
export function secondsOfNanos(value: unknown): number | undefined {
  const seconds = (doubleOf(value) ?? NaN) / 1e9;
  return seconds >= 0 && seconds <= LONGEST ? seconds : undefined;
}

/** The field at a path of a value of any form. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** A list; empty if null (Go prints empty lists so). Absence is not emptiness: an error object has no list either. */
export function list<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return mapped(z.array(item).nullable(), (items) => items ?? []);
}

/** Rows of an answer that were read without a field of theirs: their number, and the first field with what is wrong with it. */
export type InvalidRows = { readonly count: number; readonly problem: string };

type Rows<T> = { readonly rows: T[]; readonly invalidRows: InvalidRows | undefined };

/**
 * A list whose rows are facts on their own: a wrong field of `losable`, such as `asset.amount`, costs its row that field, which is then
 * unknown. A wrong field that says what a row is, or by which sums would be wrong, fails the answer.
 */
export function rows<T>(item: z.ZodType<T>, losable: readonly string[]): z.ZodType<Rows<T>> {
  const whole = list(item);
  return mapped(z.unknown(), (value, refuse) => {
    const read = whole.safeParse(value);
    if (read.success) return { rows: read.data, invalidRows: undefined };
    const { issues } = read.error;
    const lost = new Map<unknown, Set<string>>();
    const fatal = issues.filter(({ path: [index, ...fields] }) => {
      const field = losable.find((each) => `${fields.join(".")}.`.startsWith(`${each}.`));
      if (field !== undefined) lost.set(index, (lost.get(index) ?? new Set()).add(field));
      return field === undefined;
    });
    const again =
      fatal.length === 0 && Array.isArray(value)
        ? whole.safeParse(value.map((row: object, index) => [...(lost.get(index) ?? [])].reduce(without, row)))
        : read;
    const [first] = issues;
    if (again.success && first !== undefined)
      return {
        rows: again.data,
        invalidRows: { count: lost.size, problem: `${first.path.join(".")}: ${first.message}` },
      };
    // A row can be wrong for what is left of it too.
    const wrong = fatal.length > 0 ? fatal : (again.error?.issues ?? []);
    for (const { path, message } of wrong) refuse(message, path);
    return { rows: [], invalidRows: undefined };
  });
}

/** A copy without the field at a path. */
function without(row: object, path: string): object {
  const [field = "", ...inner] = path.split(".");
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]: [string, object]) => {
      if (name !== field) return [[name, value]];
      return inner.length === 0 ? [] : [[name, without(value, inner.join("."))]];
    }),
  );
}

/** A map; empty if null (Go prints empty maps so). */
export function map<T>(value: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return mapped(z.record(z.string(), value).nullable(), (entries) => entries ?? {});
}
