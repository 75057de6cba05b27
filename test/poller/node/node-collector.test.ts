import { describe, expect, it } from "vitest";
import { PlatformHeight } from "../../../src/api/node/platform.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { gauge } from "../../../src/topics/define/metric.ts";
import { comparingTopic } from "../../../src/topics/define/topic.ts";
import { benchOf, configOf, coreCatalogue, type Bench } from "../../support/engines.ts";
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
      const rest = (of: ReadonlyMap<string, number>) => [...of].filter((each) => !isComparison(each));
      expect(rest(scraped)).toEqual(rest(now));
    }
    expect(new Set(sums).size).toBeGreaterThan(10);
    // A scrape is a second after the tick here: what is as old as it may be is compared anew.
    expect([...ages].sort((a, b) => a - b)).toEqual(Array.from({ length: Math.max(1, oldest) }, (__, age) => age));
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

  const started = async (count: number): Promise<Bench> => {
    const bench = benchOf(namesOf(count));
    bench.poller.apply(configOf(namesOf(count)));
    await bench.run(41);
    return bench;
  };
  const aboutLast = (series: ReadonlyMap<string, number>) =>
    [...series].filter(isComparison).filter(([key]) => key.includes('node="n39"'));

  it("has nothing of a node that is not configured any more", async () => {
    const bench = await started(40);
    expect(aboutLast(await bench.scraped())).not.toEqual([]);
    bench.poller.apply(configOf(namesOf(39)));
    expect(aboutLast(await bench.scraped())).toEqual([]);
  });

  it("has the labels of a node as they are configured now", async () => {
    const bench = benchOf(namesOf(40));
    const config = configOf(namesOf(40));
    const labelled = { ...config, nodes: config.nodes.map((node) => ({ ...node, labels: { team: "red" } })) };
    bench.poller.apply(labelled);
    await bench.run(41);
    expect(aboutLast(await bench.scraped()).filter(([key]) => key.includes("team"))).toEqual([]);
    bench.poller.apply({ ...labelled, labelsOnSeries: ["team"] });
    const of = aboutLast(await bench.scraped());
    expect(of).not.toEqual([]);
    expect(of.filter(([key]) => !key.includes('team="red"'))).toEqual([]);
  });
});
