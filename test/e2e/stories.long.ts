import { beforeAll, describe, expect, it } from "vitest";
import { resolution } from "./support/stories/pace.ts";
import { LEAST_SCRAPED, runStories, WAYS, type Told, type Way } from "./support/stories/run.ts";
import { chosenStories } from "./support/stories/stories.ts";
import { detailsOf, tableOf } from "./support/stories/table.ts";

/**
 * Proof by failure: what is sent about each failure, and nothing else. `STORIES=killed,hung` runs some of the stories,
 * `STORIES_FACTOR=1` runs them in real time, with the intervals of the shipped configuration and unshortened `for`;
 * `STORIES_UNTIL=42` ends them after 42 minutes.
 */
const FACTOR = Number(process.env["STORIES_FACTOR"] ?? 15);
const STORIES = chosenStories(process.env["STORIES"], Number(process.env["STORIES_UNTIL"] ?? Infinity));

/** Real milliseconds: a story takes at most 80 fast minutes, and all processes start within three. */
const TIMEOUT = (80 * 60_000) / FACTOR + 180_000;

describe("failures of simulated networks", () => {
  let told: Readonly<Record<Way, Told>>;
  beforeAll(async () => {
    const begun = performance.now();
    told = await runStories(STORIES, { start: Math.floor(Date.now() / 1000) * 1000, factor: FACTOR });
    const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
    const { user, system } = process.cpuUsage();
    process.stdout.write(`\n${resolution(FACTOR)}. It took ${seconds(performance.now() - begun)}.\n`);
    process.stdout.write(`Processor time of this process, with all networks: ${seconds((user + system) / 1000)}.\n`);
    for (const way of WAYS) {
      const { rows, cpu, scraped, missed } = told[way];
      const used = Object.entries(cpu).map(([name, value]) => `${name} ${seconds(value * 1000)}`);
      const pace = `${(scraped * 100).toFixed(1)} % of the scrapes succeeded, ${missed} polls missed`;
      process.stdout.write(
        `\n${tableOf(`Exporter ${way} (${used.join(", ")}; ${pace}), minutes:`, rows)}\n${detailsOf(rows)}`,
      );
    }
  }, TIMEOUT);

  describe.each(WAYS)("with an exporter that is %s", (way) => {
    it.each(STORIES.map(({ name, about }) => [name, about] as const))("%s: %s", (name) => {
      expect(told[way].rows.find(({ story }) => story.name === name)?.problems).toEqual([]);
    });

    it("the machine kept pace: otherwise a verdict means nothing", () => {
      expect(told[way].scraped).toBeGreaterThanOrEqual(LEAST_SCRAPED[way]);
    });

    it("nothing is sent about anything else", () => {
      expect(told[way].outside).toEqual({ pages: [], tickets: [], records: [] });
    });
  });
});
