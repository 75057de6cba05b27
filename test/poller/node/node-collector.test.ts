import { describe, expect, it } from "vitest";
import { PlatformHeight } from "../../../src/api/node/platform.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { gauge } from "../../../src/topics/define/metric.ts";
import { comparingTopic } from "../../../src/topics/define/topic.ts";
import { benchOf, configOf, coreCatalogue } from "../../support/engines.ts";
import { fakeNode } from "../../support/fake-client.ts";

/** Changes with each height that any node answers. */
const sum = comparingTopic(
  {
    id: "sum",
    about: "What are all heights together?",
    needs: { height: PlatformHeight },
    start: () => 0,
    compare: (_state, { members }) =>
      members.reduce((all, { answers: { height } }) => all + Number(height?.value.height ?? 0), 0),
  },
  { heights: gauge("avax_heights", "All heights.", ({ state }) => state) },
);
const COMPARISONS = new Set(
  [...TOPICS.filter(({ scope }) => scope === "comparison"), sum].flatMap((each) =>
    metricsOf(each).map(({ name }) => name),
  ),
);
const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `n${at}`);
const isComparison = ([key]: readonly [string, number]): boolean => COMPARISONS.has(key.replace(/\{.*/, ""));
const rest = (series: ReadonlyMap<string, number>) => [...series].filter((each) => !isComparison(each));
const sumOf = (series: ReadonlyMap<string, number>): number | undefined => series.get('avax_heights{network="local"}');

/** Two exporters of the same nodes, whose heights grow at different speeds. */
function twoOf(names: readonly string[]) {
  const nodes = new Map(names.map((name, at) => [name, fakeNode(name, { height: 1000 + at })]));
  const catalogue = coreCatalogue(sum);
  const one = benchOf(names, { nodes, catalogue });
  const other = benchOf(names, { nodes, catalogue, clock: one.clock });
  for (const { poller } of [one, other]) poller.apply(configOf(names));
  const second = async (): Promise<void> => {
    for (const { poller } of [one, other]) poller.tick();
    await one.clock.pass(1);
    let at = 0;
    for (const node of nodes.values()) node.height += (at++ % 3) + 1;
  };
  return { one, other, second };
}

describe("a scrape", () => {
  it.each([
    ["nine nodes", 9, 0],
    ["nineteen nodes", 19, 1],
    ["thirty nodes", 30, 3],
    ["a hundred and twenty nodes", 120, 10],
  ])("of %s has comparisons of the last seconds, and all else as it is now", async (_, count, oldest) => {
    const { one, other, second } = twoOf(namesOf(count));
    for (let passed = 0; passed < 30; passed++) await second();
    /** The newest first. */
    const sums: Array<number | undefined> = [];
    const ages = new Set<number>();
    for (let passed = 0; passed < 30; passed++) {
      await second();
      const [now, scraped] = [await one.series(), await other.scraped()];
      sums.unshift(sumOf(now));
      if (passed >= oldest) ages.add(sums.indexOf(sumOf(scraped)));
      expect(rest(scraped)).toEqual(rest(now));
    }
    expect(new Set(sums).size).toBeGreaterThan(10);
    // A scrape is a second after the tick here: what is as old as it may be is compared anew.
    expect([...ages].sort((a, b) => a - b)).toEqual(Array.from({ length: Math.max(1, oldest) }, (__, age) => age));
  });

  it("of three hundred nodes has of each what it was within the last ten seconds, and no series else", async () => {
    const { one, other, second } = twoOf(namesOf(300));
    for (let passed = 0; passed < 20; passed++) await second();
    /** The newest first. */
    const last: Array<ReadonlyMap<string, number>> = [];
    const ages = new Set<number>();
    for (let passed = 0; passed < 14; passed++) {
      await second();
      last.unshift(await one.series());
      if (passed <= 10) continue;
      const scraped = rest(await other.scraped());
      expect(scraped.length).toBe(rest(last[0] ?? new Map<string, number>()).length);
      for (const [key, value] of scraped) ages.add(last.findIndex((of) => of.get(key) === value));
    }
    expect([...ages].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("has comparisons that are made anew when the clock was set back", async () => {
    const { one, other, second } = twoOf(namesOf(120));
    for (let passed = 0; passed < 40; passed++) await second();
    await other.scraped();
    await second();
    one.clock.set(-9);
    const now = sumOf(await one.series());
    expect(sumOf(await other.scraped())).toBe(now);
  });

  const aboutLast = (series: ReadonlyMap<string, number>, count: number): readonly string[] =>
    [...series.keys()].filter((key) => key.includes(`node="n${count - 1}"`));

  it.each([40, 300])("of %i nodes has nothing of one that is not configured any more", async (count) => {
    const bench = benchOf(namesOf(count));
    bench.poller.apply(configOf(namesOf(count)));
    await bench.run(41);
    expect(aboutLast(await bench.scraped(), count)).not.toEqual([]);
    bench.poller.apply(configOf(namesOf(count - 1)));
    expect(aboutLast(await bench.scraped(), count)).toEqual([]);
  });

  it.each([40, 300])("of %i nodes has the labels of each as they are configured now", async (count) => {
    const bench = benchOf(namesOf(count));
    const config = configOf(namesOf(count));
    const labelled = { ...config, nodes: config.nodes.map((node) => ({ ...node, labels: { team: "red" } })) };
    bench.poller.apply(labelled);
    await bench.run(41);
    expect(aboutLast(await bench.scraped(), count).filter((key) => key.includes("team"))).toHaveLength(1);
    bench.poller.apply({ ...labelled, labelsOnSeries: ["team"] });
    const of = aboutLast(await bench.scraped(), count);
    expect(of.filter((key) => key.includes('team="red"')).length).toBeGreaterThan(10);
    expect(of).toEqual(aboutLast(await bench.series(), count));
  });

  it("of 300 nodes has all of each as it is now when the clock was set back", async () => {
    const { one, other, second } = twoOf(namesOf(300));
    for (let passed = 0; passed < 30; passed++) await second();
    one.clock.set(-12);
    const now = rest(await one.series());
    expect(
      rest(await other.scraped()).filter(([key, value], at) => now[at]?.[0] !== key || now[at]?.[1] !== value),
    ).toEqual([]);
  });
});
