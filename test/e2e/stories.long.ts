import { beforeAll, describe, expect, it } from "vitest";
import { afterThisTest } from "../support/cleanup.ts";
import { resolution } from "./support/stories/pace.ts";
import { detailsOf, timesOf } from "./support/stories/judge.ts";
import { isVerdict, keptPace, runStories, type Told } from "./support/stories/run.ts";
import { chosenStories, waysOf } from "./support/stories/stories.ts";

/**
 * Proof by failure: what is sent about each failure, and nothing else. `STORIES=killed,hung` runs some of the stories,
 * `STORIES_FACTOR=1` runs them in real time, with the intervals of the shipped configuration and unshortened `for`;
 * `STORIES_UNTIL=42` ends them after 42 minutes.
 */
const WANTED = process.env["STORIES_FACTOR"];
/** The second one is for a machine with other work: at the first one its own delays would be told as failures of nodes. */
const FACTORS = WANTED === undefined ? [6, 4] : [Number(WANTED)];
const STORIES = chosenStories(process.env["STORIES"], Number(process.env["STORIES_UNTIL"] ?? Infinity));

/** Real milliseconds: a story takes at most 80 fast minutes, and all processes start within three. */
const TIMEOUT = FACTORS.reduce((sum, factor) => sum + (80 * 60_000) / factor + 180_000, 0);

const WAYS = waysOf(STORIES);

let told: readonly Told[] = [];
beforeAll(async () => {
  for (const factor of FACTORS) {
    // The processes of the pace before.
    await afterThisTest.run();
    const run = runStories(STORIES, WAYS, { start: Math.floor(Date.now() / 1000) * 1000, factor });
    told = await run.catch((error: unknown) => {
      if (factor === FACTORS.at(-1)) throw error;
      process.stdout.write(`\n${String(error)}\n`);
      return [];
    });
    process.stdout.write(`\n${resolution(factor)}.\n`);
    for (const { way, rows, scraped, missed, delay } of told) {
      const pace = `${(scraped * 100).toFixed(2)} % of the scrapes succeeded, ${missed} polls missed, one took ${delay.toFixed(2)} s`;
      process.stdout.write(`\nExporter ${way.name}: ${pace}\n${timesOf(rows)}${detailsOf(rows)}`);
    }
    if (isVerdict(told)) return;
  }
}, TIMEOUT);

describe.each(WAYS.map((way, index) => [way.name, way, index] as const))(
  "failures of simulated networks, with an exporter that is %s",
  (_name, way, index) => {
    it.each(way.stories.map(({ name, about }) => [name, about] as const))("%s: %s", (name) => {
      expect(told[index]?.rows.find(({ story }) => story.name === name)?.problems).toEqual([]);
    });

    it("the machine kept pace: otherwise a verdict means nothing", () => {
      expect(told[index]).toSatisfy(keptPace);
    });

    it("nothing is sent about anything else", () => {
      expect(told[index]?.outside).toEqual({ pages: [], tickets: [], records: [] });
    });
  },
);
