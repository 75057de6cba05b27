import { beforeAll, describe, expect, it } from "vitest";
import { resolution } from "./support/stories/pace.ts";
import { detailsOf, timesOf } from "./support/stories/judge.ts";
import { LEAST_SCRAPED, runStories, WAYS, type Told, type Way } from "./support/stories/run.ts";
import { chosenStories, isForgetful } from "./support/stories/stories.ts";

/**
 * Proof by failure: what is sent about each failure, and nothing else. `STORIES=killed,hung` runs some of the stories,
 * `STORIES_FACTOR=1` runs them in real time, with the intervals of the shipped configuration and unshortened `for`;
 * `STORIES_UNTIL=42` ends them after 42 minutes.
 */
const FACTOR = Number(process.env["STORIES_FACTOR"] ?? 15);
const STORIES = chosenStories(process.env["STORIES"], Number(process.env["STORIES_UNTIL"] ?? Infinity));

/** Real milliseconds: a story takes at most 80 fast minutes, and all processes start within three. */
const TIMEOUT = (80 * 60_000) / FACTOR + 180_000;

const RUNS = (
  [
    ["with facts that outlive a restart", STORIES.filter((story) => !isForgetful(story))],
    ["with facts that do not", STORIES.filter(isForgetful)],
  ] as const
).filter(([, stories]) => stories.length > 0);

describe.each(RUNS)("failures of simulated networks, %s", (_memory, stories) => {
  let told: Readonly<Record<Way, Told>>;
  beforeAll(async () => {
    told = await runStories(stories, { start: Math.floor(Date.now() / 1000) * 1000, factor: FACTOR });
    process.stdout.write(`\n${resolution(FACTOR)}.\n`);
    for (const way of WAYS) {
      const { rows, scraped, missed } = told[way];
      const pace = `${(scraped * 100).toFixed(1)} % of the scrapes succeeded, ${missed} polls missed`;
      process.stdout.write(`\nExporter ${way}: ${pace}\n${timesOf(rows)}${detailsOf(rows)}`);
    }
  }, TIMEOUT);

  describe.each(WAYS)("with an exporter that is %s", (way) => {
    it.each(stories.map(({ name, about }) => [name, about] as const))("%s: %s", (name) => {
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
