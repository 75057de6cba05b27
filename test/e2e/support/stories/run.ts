import { vi } from "vitest";
import type { Notification } from "../alertmanager.ts";
import { fastClock, type Compression } from "../compression.ts";
import { judge, only, outcomeOf, storyOf, type Outcome, type Row, type Sent } from "./judge.ts";
import { WARM_UP } from "./networks.ts";
import { askOnce, startChain, startNetworks, type Chain, type Networks } from "./scene.ts";
import type { Way } from "./stories.ts";
import type { Story } from "./story.ts";

/** Minutes at which an interrupted daemon stops and starts again. Each story is in its middle at one of them. */
const INTERRUPTIONS: ReadonlyArray<readonly [stop: number, start: number]> = [
  [20, 21],
  [40, 41],
];

/**
 * Left out of the verdict: polls that are started late. At 6 times real speed a pause of 1 s of the machine is a delay of 6 s for
 * the exporter.
 */
const OF_THE_CLOCK: ReadonlySet<string> = new Set(["AvaxNodePollsMissed"]);

/** Least share of scrapes that succeed where the machine keeps pace: all, but for the minutes without a daemon. */
export const LEAST_SCRAPED = { running: 0.98, interrupted: 0.94 } as const;

/** Fast seconds: half of what a node's API may take before it is called slow. Beyond it the machine's delays would be told as the nodes'. */
const LONGEST_DELAY = 1.5;

export const keptPace = ({ way, scraped, delay }: Pick<Told, "way" | "scraped" | "delay">): boolean =>
  scraped >= LEAST_SCRAPED[way.interrupted ? "interrupted" : "running"] && delay <= LONGEST_DELAY;

export type Told = {
  readonly way: Way;
  readonly rows: readonly Row[];
  /** Share of the scrapes that succeeded. */
  readonly scraped: number;
  readonly missed: number;
  /** Fast seconds that a poll took, as in `Chain.delay`. */
  readonly delay: number;
  /** What was sent about none of the stories. */
  readonly outside: Outcome;
};

/**
 * Whether what was told is a verdict: the machine kept pace, and where something is wrong, each scrape succeeded. One that fails has the
 * `for` of every alert begin again: what comes too late then, or not at all, does so because of the machine.
 */
export function isVerdict(told: ReadonlyArray<Omit<Told, "missed">>): boolean {
  const isWhole = told.every(({ way, scraped }) => way.interrupted || scraped === 1);
  return told.length > 0 && told.every(keptPace) && (isWhole || told.every(isAsExpected));
}

const isAsExpected = ({ rows, outside }: Pick<Told, "rows" | "outside">): boolean =>
  rows.every(({ problems }) => problems.length === 0) && Object.values(outside).every(({ length }) => length === 0);

/** Runs all stories at the same time, with a daemon for each way, and judges what was sent by each. */
export async function runStories(
  stories: readonly Story[],
  ways: readonly Way[],
  compression: Compression,
): Promise<readonly Told[]> {
  const now = fastClock(compression);
  const origin = compression.start + WARM_UP * 60_000;
  const minute = (at = now()): number => (at - origin) / 60_000;
  const networks = await startNetworks(stories, origin, compression);
  await askOnce(stories, networks, compression);
  const chains = await Promise.all(
    ways.map(async (way) => ({ way, chain: await startChain(way, networks, compression) })),
  );
  const polled = async () => (await Promise.all(chains.map(({ chain }) => chain.hasPolledAll()))).every(Boolean);
  await vi.waitUntil(polled, { timeout: 120_000, interval: 250 });
  if (minute() > 0) throw new Error(`all nodes are polled at minute ${minute().toFixed(1)}, too late`);
  const breaks = chains.filter(({ way }) => way.interrupted).flatMap(({ chain }) => interruptions(chain));
  const happen = happenings([...stepsOf(stories, networks), ...breaks]);
  const end = Math.max(...stories.map(({ ends }) => ends));
  const timeout = ((WARM_UP + end + 5) * 60_000) / compression.factor;
  await vi.waitUntil(
    async () => {
      await happen(minute());
      return minute() > end;
    },
    { timeout, interval: 50 },
  );
  const told = async ({ way, chain }: (typeof chains)[number]): Promise<Told> => {
    const all = chain.notifications().map((each) => sentAt(each, minute(fastClock(compression, () => each.at)())));
    const sent = only(all, ({ alertname = "" }) => !OF_THE_CLOCK.has(alertname));
    const [scraped, missed, delay] = await Promise.all([chain.scraped(), chain.missed(), chain.delay(end)]);
    return { way, ...tell(way.stories, sent), scraped, missed, delay };
  };
  return Promise.all(chains.map(told));
}

type Step = readonly [minute: number, happen: () => unknown];

const stepsOf = (stories: readonly Story[], networks: Networks): readonly Step[] =>
  stories.flatMap(({ name, timeline }) => {
    const network = networks.get(name);
    return network === undefined ? [] : timeline.map(([at, happen]): Step => [at, () => happen(network)]);
  });

const interruptions = (chain: Chain): readonly Step[] =>
  INTERRUPTIONS.flatMap(([stop, start]): Step[] => [
    [stop, chain.stop],
    [start, chain.start],
  ]);

/** Does what is due, in the order of time. Must be called often. */
function happenings(steps: readonly Step[]): (minute: number) => Promise<void> {
  const plan = steps.toSorted(([a], [b]) => a - b);
  return async (minute) => {
    for (let [next] = plan; next !== undefined && next[0] <= minute; [next] = plan) {
      plan.shift();
      await next[1]();
    }
  };
}

const sentAt = ({ receiver, alerts }: Notification, minute: number): Sent => ({ minute, receiver, alerts });

function tell(stories: readonly Story[], sent: readonly Sent[]): Pick<Told, "rows" | "outside"> {
  const names = stories.map(({ name }) => name);
  const rows = stories.map((story): Row => {
    const about = only(sent, (labels) => storyOf(labels, names) === story.name);
    return {
      story,
      problems: judge(story, outcomeOf(about.filter(({ minute }) => minute <= story.ends))),
      sent: about,
    };
  });
  return { rows, outside: outcomeOf(only(sent, (labels) => storyOf(labels, names) === undefined)) };
}
