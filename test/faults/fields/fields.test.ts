import { afterAll, expect, it } from "vitest";
import { createCleanup } from "../../support/create-cleanup.ts";
import type { Series } from "../../e2e/support/exposition.ts";
import { unsound } from "../support/sanity.ts";
import { lying, placesOf, type Place } from "./places.ts";
import { playedFleet, TRUE, type Twist } from "./played.ts";

const RECORDING = "local-healthy-validator";
/** Series of one family about one node or network: a list that a server chooses has a hundred names, a proposal three stances. */
const MOST_SERIES = 300;
/** Items of a long list. */
const MANY = 400;
/** Intervals after which an answer is too old, and in which a lie is forgotten. */
const PATIENCE = 3;

const cleanup = createCleanup();
afterAll(cleanup.run);

const PLACES = placesOf(RECORDING);

/** One node for the first field of all methods, one for the second and so on, so that sixty nodes lie about everything. */
function liars(isMeant: (place: Place) => boolean, lie: (value: unknown) => unknown) {
  const byMethod = [...Map.groupBy(PLACES.filter(isMeant), ({ asked }) => asked).values()];
  const most = Math.max(...byMethod.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => byMethod.flatMap((places) => places[at] ?? [])).map((places) => ({
    about: places.map(({ asked, path }) => `${asked} ${path.join(".")}`).join(", "),
    twist: places
      .map((place) => lying(place, lie))
      .reduce<Twist>(
        (all, each) => (question, reply) => each(question, all(question, reply)),
        (_, reply) => reply,
      ),
  }));
}

/** A list or map with many more of its items, each of its own: other texts, other keys. */
function longer(value: unknown): unknown {
  if (Array.isArray(value)) {
    const first: unknown = value[0] ?? "x";
    return [...(value as unknown[]), ...Array.from({ length: MANY }, (_, at) => other(first, at))];
  }
  if (typeof value !== "object" || value === null) return value;
  const [[name, first] = ["x", 1]] = Object.entries(value);
  const more = Array.from({ length: MANY }, (_, at) => [`n${at}${name}`, other(first, at)]);
  return { ...value, ...Object.fromEntries(more) };
}

/** A copy in which the texts that name something are others. */
function other(value: unknown, at: number): unknown {
  if (typeof value === "string") return isNumber(value) ? value : `${value}${at}`;
  if (Array.isArray(value)) return value.map((each) => other(each, at));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, other(each, at)]));
}

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^(-?\d|0x)/.test(value));

let letters = 0;
const long = (value: unknown): unknown => `${String(value)} ${++letters} ${"é\n{\u001b".repeat(10_000)}`;

/** More than any figure of a node can be, in the form in which the field has it. */
const huge = (value: unknown): unknown =>
  typeof value === "number"
    ? 1e77
    : String(value).startsWith("0x")
      ? `0x${"f".repeat(String(value).length > 20 ? 64 : 16)}`
      : typeof value === "string" && /^\d+$/.test(value)
        ? "18446744073709551615"
        : value;

type All = ReadonlyMap<string, ReadonlyMap<string, Series>>;
const NONE: ReadonlyMap<string, Series> = new Map();
const seriesOf = (all: All, name: string) => all.get(name) ?? NONE;
type Some = ReadonlyMap<string, Series> | undefined;

const unbounded = (found: Some = NONE): readonly string[] =>
  [...Map.groupBy(found.values(), ({ name }) => name)]
    .filter(([, { length }]) => length > MOST_SERIES)
    .map(([name, { length }]) => `${name} has ${length} series`);

const impossible = (found: Some = NONE): readonly string[] =>
  [...found.values()].flatMap(({ name, labels, value }) => {
    const problem = unsound(name, labels, value);
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });

/** Counters that have a series from the first failure on. */
const BEGIN_LATER = /^avax_poll_(failures|rows_invalid)_total /;

const unlike = (then: Some = NONE, now: Some = NONE): readonly string[] => [
  ...[...then.keys()].filter((key) => !now.has(key)).map((key) => `lost ${key}`),
  ...[...now.keys()]
    .filter((key) => !then.has(key) && !BEGIN_LATER.test(key))
    .map((key) => `stays ${key.slice(0, 200)}`),
];

it.each<[string, (place: Place) => boolean, (value: unknown) => unknown]>([
  ["a long list", ({ value }) => typeof value === "object", longer],
  ["a long text, another one in each answer", ({ value }) => typeof value === "string" && !isNumber(value), long],
  ["the greatest number", ({ value }) => isNumber(value), huge],
])(
  "%s in any field causes no error, no figure that cannot be, no family without a bound, nothing about others, and heals",
  { timeout: 300_000 },
  async (_, isMeant, lie) => {
    const some = liars(isMeant, lie);
    const fleet = playedFleet(
      RECORDING,
      some.map(({ twist }) => twist),
    );
    cleanup.add(fleet.close);
    await fleet.intervals(PATIENCE, false);
    const before = await fleet.series();
    await fleet.intervals(PATIENCE + 1, true);
    const during = await fleet.series();
    await fleet.intervals(PATIENCE, false);
    const after = await fleet.series();
    const problems = some.flatMap(({ about }, index) => {
      const [then, lied, now] = [before, during, after].map((all) => seriesOf(all, `lies-${index}`));
      return [...unbounded(lied), ...impossible(lied), ...unlike(then, now)].map((each) => `${each} (${about})`);
    });
    expect(fleet.errors).toEqual([]);
    expect(problems).toEqual([]);
    expect(unlike(seriesOf(before, TRUE), seriesOf(during, TRUE))).toEqual([]);
  },
);
