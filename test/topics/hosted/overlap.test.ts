import { describe, expect, it } from "vitest";
import { SUBJECTS } from "../../support/hosted-client.ts";
import { ALL_DATA, hostedBench, hostedConfig, pageOf, type Body } from "../../support/hosted.ts";
import { CASES } from "./cases.ts";

const CONFIG = hostedConfig({
  data: ALL_DATA,
  metrics: { metricChains: SUBJECTS, intervals: ["day"] },
  perMinute: 100_000,
  perDay: 10_000_000,
});
/** After this time everything is polled again. Seconds. */
const NEXT_ANSWER = 2000;

type Page = Readonly<Record<string, unknown>>;

/** All rows on two pages, as where new ones shift the others while they are read. */
const overlapping = (body: Body): Body =>
  typeof body === "function"
    ? body
    : (token) => ({ ...(pageOf(body) as Page), nextPageToken: token === undefined ? "2" : "" });

/** All rows twice on one page. */
const twice = (body: Body): Body =>
  typeof body === "function"
    ? body
    : Object.fromEntries(
        Object.entries(pageOf(body) as Page).map(([name, value]) => [
          name,
          Array.isArray(value) ? [...(value as unknown[]), ...(value as unknown[])] : value,
        ]),
      );

async function seriesOf(change: (body: Body) => Body) {
  const bench = hostedBench();
  const cases = Object.values(CASES);
  for (const { path, real } of cases) bench.instead.set(path, change(real));
  bench.poller.apply(CONFIG);
  await bench.run(60);
  const first = await bench.series();
  for (const { path, later } of cases) if (later !== undefined) bench.instead.set(path, change(later.real));
  await bench.run(NEXT_ANSWER);
  // What the exporter asked, and when, differs with the number of pages.
  const figures = (series: ReadonlyMap<string, number>) =>
    Object.fromEntries(
      [...series].filter(([name]) => !/_requests_|_spent_|_quota_|_budget_|timestamp|_duration/.test(name)),
    );
  return [figures(first), figures(await bench.series())];
}

describe("each row counts once", () => {
  it.each([
    ["on two pages that overlap", overlapping],
    ["twice on one page", twice],
  ])("%s", async (_, change) => {
    expect(await seriesOf(change)).toEqual(await seriesOf((body) => body));
  });
});
