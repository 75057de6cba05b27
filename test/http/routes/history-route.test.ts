import { expect, it } from "vitest";
import { dayOf } from "../../../src/diagnosis/history/day.ts";
import { NO_HISTORY, observe } from "../../../src/diagnosis/history/observe.ts";
import { evaluation, problem, START } from "../../diagnosis/history/evaluations.ts";
import { serving } from "../serving.ts";

const steps: ReadonlyArray<Parameters<typeof evaluation>[0]> = [
  { at: 0, causes: [problem("a", { labels: { node: "a", network: "fuji" } })] },
  { at: 600, causes: [] },
  {
    at: 610,
    causes: [problem("b", { severity: "warning", since: START + 605 })],
    nodes: { a: { up: true }, b: { up: false } },
  },
];
const history = steps.reduce((next, step) => observe(next, evaluation(step)), NO_HISTORY);

const NOW = START + 1_000;
const { get } = serving();

async function answer(query: string): Promise<{ status: number; body: string }> {
  const { status, text } = await get(`/api/v1/history${query}`, { history: () => ({ history, now: NOW }) });
  return { status, body: text };
}

it("has problems, events, unknown times, and a strip for each node", async () => {
  const { status, body } = await answer("?since=15m");
  const day = dayOf(history, { now: NOW, since: NOW - 900 });
  expect([status, JSON.parse(body)]).toEqual([200, JSON.parse(JSON.stringify(day))]);
  expect([day.problems.length, day.events.length, day.strips.length]).toEqual([2, 2, 2]);
});

it("a day is the default, in quarters of an hour; what was before the record is unknown", async () => {
  const { body } = await answer("");
  const { since, from, strips, slotsFrom } = JSON.parse(body) as {
    since: number;
    from: number;
    slotsFrom: number;
    strips: ReadonlyArray<{ node: string; slots: readonly string[] }>;
  };
  expect([since, from, slotsFrom]).toEqual([NOW - 86_400, START, START + 900 - 86_400]);
  expect(strips[0]?.slots).toEqual([...Array.from({ length: 95 }, () => "unknown"), "critical", "ok"]);
});

it("one node has its own problems, events and strip", async () => {
  const { body } = await answer("?node=a&since=1800000100");
  const found = JSON.parse(body) as Record<
    "problems" | "events" | "strips" | "unknown",
    ReadonlyArray<{ node?: string }>
  >;
  expect(found.problems.map(({ node }) => node)).toEqual(["a"]);
  expect(found.events).toEqual([]);
  expect(found.strips.map(({ node }) => node)).toEqual(["a"]);
  expect(found.unknown.map(({ node }) => node)).toEqual([undefined]);
});

const SINCE = "since must be a duration such as 24h, or a Unix time that is not in the future";

it.each([
  ["?since=yesterday", SINCE],
  ["?since=", SINCE],
  ["?since=-1h", SINCE],
  ["?since=0s", SINCE],
  ["?since=99999999999", SINCE],
  ["?node=%3Cb%3E%0a", 'node: "<b>\\n" is not a configured node'],
])("%s is answered with 400 and words", async (query, words) => {
  expect(await answer(query)).toEqual({ status: 400, body: `${words}\n` });
});

it("a long time is answered with two days at most", async () => {
  const { strips, since } = JSON.parse((await answer("?since=100000d")).body) as {
    strips: ReadonlyArray<{ slots: readonly string[] }>;
    since: number;
  };
  expect(since).toBe(NOW - 2 * 86_400);
  expect(strips[0]?.slots).toHaveLength(193);
});
