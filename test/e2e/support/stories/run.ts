import { vi } from "vitest";
import type { Notification } from "../alertmanager.ts";
import { fastClock, type Compression } from "../compression.ts";
import { judge, only, outcomeOf, storyOf, type Outcome, type Sent } from "./judge.ts";
import { startChain, startNetworks, type Chain, type Networks } from "./scene.ts";
import type { Story } from "./story.ts";
import type { Row } from "./table.ts";

/** Ways to run the daemon. `interrupted`: it is stopped and started again in the middle of each story. */
export const WAYS = ["running", "interrupted"] as const;
export type Way = (typeof WAYS)[number];

/** Minutes at which the interrupted daemon stops and starts again. Each story is in its middle at one of them. */
const INTERRUPTIONS: ReadonlyArray<readonly [stop: number, start: number]> = [
  [20, 21],
  [40, 41],
];

/** The nodes are known to the daemons by then; no story has a fault before. */
const READY_BY = 4.5;

export type Told = {
  readonly rows: readonly Row[];
  /** What was sent about none of the stories. */
  readonly outside: Outcome;
};

/** Runs all stories at the same time, once for each way, and judges what was sent. */
export async function runStories(
  stories: readonly Story[],
  compression: Compression,
): Promise<Readonly<Record<Way, Told>>> {
  const now = fastClock(compression);
  const minute = (at = now()): number => (at - compression.start) / 60_000;
  const networks = await startNetworks(stories, compression);
  const [running, interrupted] = await Promise.all(WAYS.map(() => startChain(stories, networks, compression)));
  if (running === undefined || interrupted === undefined) throw new Error("no daemons");
  await vi.waitUntil(async () => (await running.isReady()) && (await interrupted.isReady()), { timeout: 120_000 });
  if (minute() > READY_BY) throw new Error(`the daemons are ready at minute ${minute().toFixed(1)}, too late`);
  const happen = happenings([...stepsOf(stories, networks), ...interruptions(interrupted)]);
  const end = Math.max(...stories.map(({ ends }) => ends));
  const timeout = ((end + 5) * 60_000) / compression.factor;
  await vi.waitUntil(
    async () => {
      await happen(minute());
      return minute() > end;
    },
    { timeout, interval: 50 },
  );
  const told = (chain: Chain): Told =>
    tell(
      stories,
      chain.notifications().map((each) => sentAt(each, minute(fastClock(compression, () => each.at)()))),
    );
  return { running: told(running), interrupted: told(interrupted) };
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

function tell(stories: readonly Story[], sent: readonly Sent[]): Told {
  const names = stories.map(({ name }) => name);
  const rows = stories.map((story): Row => {
    const about = only(sent, (labels) => storyOf(labels, names) === story.name);
    const outcome = outcomeOf(about.filter(({ minute }) => minute <= story.ends));
    return { story, outcome, problems: judge(story, outcome) };
  });
  return { rows, outside: outcomeOf(only(sent, (labels) => storyOf(labels, names) === undefined)) };
}
