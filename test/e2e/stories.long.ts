import { beforeAll, describe, expect, it } from "vitest";
import { resolution } from "./support/stories/pace.ts";
import { detailsOf, timesOf } from "./support/stories/judge.ts";
import { LEAST_SCRAPED, runStories, type Told } from "./support/stories/run.ts";
import { chosenStories, waysOf } from "./support/stories/stories.ts";

/**
 * Proof by failure: what is sent about each failure, and nothing else. `STORIES=killed,hung` runs some of the stories,
 * `STORIES_FACTOR=1` runs them in real time, with the intervals of the shipped configuration and unshortened `for`;
 * `STORIES_UNTIL=42` ends them after 42 minutes.
 */
const FACTOR = Number(process.env["STORIES_FACTOR"] ?? 15);
const STORIES = chosenStories(process.env["STORIES"], Number(process.env["STORIES_UNTIL"] ?? Infinity));

/** Real milliseconds: a story takes at most 80 fast minutes, and all processes start within three. */
const TIMEOUT = (80 * 60_000) / FACTOR + 180_000;

const WAYS = waysOf(STORIES);

let told: readonly Told[];
beforeAll(async () => {
  told = await runStories(STORIES, WAYS, { start: Math.floor(Date.now() / 1000) * 1000, factor: FACTOR });
  process.stdout.write(`\n${resolution(FACTOR)}.\n`);
  for (const { way, rows, scraped, missed } of told) {
    const pace = `${(scraped * 100).toFixed(1)} % of the scrapes succeeded, ${missed} polls missed`;
    process.stdout.write(`\nExporter ${way.name}: ${pace}\n${timesOf(rows)}${detailsOf(rows)}`);
  }
}, TIMEOUT);

describe.each(WAYS.map((way, index) => [way.name, way, index] as const))(
  "failures of simulated networks, with an exporter that is %s",
  (_name, way, index) => {
    it.each(way.stories.map(({ name, about }) => [name, about] as const))("%s: %s", (name) => {
      expect(told[index]?.rows.find(({ story }) => story.name === name)?.problems).toEqual([]);
    });

    it("the machine kept pace: otherwise a verdict means nothing", () => {
      expect(told[index]?.scraped).toBeGreaterThanOrEqual(LEAST_SCRAPED[way.interrupted ? "interrupted" : "running"]);
    });

    it("nothing is sent about anything else", () => {
      expect(told[index]?.outside).toEqual({ pages: [], tickets: [], records: [] });
    });
  },
);
