import { scheduled } from "../../api/node/info.ts";
import { share, type Stakes } from "../stakes.ts";

/** The network's next upgrade by the announcements of its validators and the schedules of polled nodes, and whether a node is ready for it. */

/** Announced time of each validator's last upgrade, Unix seconds by node ID; year 9999 without a date. */
type Votes = ReadonlyMap<string, number>;

/** Stake in nAVAX: by announced time, of all validators that announce one, and in total. */
export type StakeTally = {
  readonly byTime: ReadonlyMap<number, bigint>;
  readonly known: bigint;
  readonly total: bigint;
};

export function tally(votes: Votes, { byNode, total }: Stakes): StakeTally {
  const byTime = new Map<number, bigint>();
  let known = 0n;
  for (const [nodeId, time] of votes) {
    const stake = byNode.get(nodeId);
    if (stake === undefined) continue;
    byTime.set(time, (byTime.get(time) ?? 0n) + stake);
    known += stake;
  }
  return { byTime, known, total };
}

/**
 * What a polled node announces in its health check, the last date of its schedule, and whether it announces an older one of it. Unix seconds;
 * `undefined` where unknown.
 */
export type PolledSchedule = {
  readonly nodeId: string | undefined;
  readonly announced: number | undefined;
  readonly last: number | undefined;
  readonly tellsOlder: boolean;
};

/** What is known of the network's upgrade. */
export type KnownUpgrade = {
  readonly votes: Votes;
  readonly tally: StakeTally;
  readonly network: number;
  /** Whether the announcements tell it. Else the schedules of the polled nodes are all that is known. */
  readonly isAnnounced: boolean;
};

/**
 * Some releases announce an older upgrade than the last one that they schedule, with it and without it alike (1.14.2: Granite).
 * What a polled node announces so says nothing about the later date. Where more than half of the stake says nothing, the
 * polled nodes are compared with each other, and the latest date is the network's: a release schedules what all agreed on.
 * @param heard announced times by node ID; `undefined` without votes
 */
export function outcomeOf(polled: readonly PolledSchedule[], heard: Votes, stakes: Stakes): KnownUpgrade | undefined {
  const mute = new Set(
    polled.flatMap(({ announced, tellsOlder }) => (announced !== undefined && tellsOlder ? [announced] : [])),
  );
  const telling = [...heard].filter(([, time]) => !mute.has(time));
  const own = polled.flatMap(({ nodeId, announced, last }) => {
    const time = last === undefined && mute.has(announced ?? 0) ? 0 : Math.max(announced ?? 0, last ?? 0);
    return nodeId === undefined || time === 0 ? [] : [[nodeId, time] as const];
  });
  const votes = new Map([...telling, ...own]);
  const count = tally(votes, stakes);
  const isAnnounced = mute.size === 0 || 2n * tally(new Map(telling), stakes).known > stakes.total;
  const network = isAnnounced ? networkTime(count) : Math.max(...polled.map(({ last = 0 }) => last));
  return network === undefined ? undefined : { votes, tally: count, network, isAnnounced };
}

/** The time that most stake announces; on a tie a date wins, then the later one. `undefined` without votes. */
export function networkTime({ byTime }: StakeTally): number | undefined {
  let [best, most] = [undefined as number | undefined, -1n];
  for (const [time, stake] of byTime) {
    if (stake > most || (stake === most && best !== undefined && wins(time, best))) [best, most] = [time, stake];
  }
  return best;
}

function wins(time: number, over: number): boolean {
  const [a, b] = [scheduled(time), scheduled(over)];
  return a !== undefined && (b === undefined || a > b);
}

/**
 * Share of all stake that announces the network's time. While that is not a date, stake that announces a past upgrade is
 * ready too. Stake without an announcement is not ready.
 */
export function readyShare({ byTime, total }: StakeTally, network: number, now: number): number | undefined {
  let ready = 0n;
  for (const [time, stake] of byTime) {
    if (time === network || (scheduled(network) === undefined && time <= now)) ready += stake;
  }
  return share(ready, total);
}

/** Share of all stake that is known to lack the network's upgrade, once that is active; 0 before. Stake without an announcement is unknown. */
export function missingShare(
  { known, total }: StakeTally,
  network: number,
  ready: number | undefined,
  now: number,
): number | undefined {
  if (now <= (scheduled(network) ?? Infinity)) return 0;
  const announced = share(known, total);
  return announced === undefined || ready === undefined ? undefined : Math.max(0, announced - ready);
}

export const STANDINGS = ["in_line", "unknown_here", "only_here", "another_time"] as const;
export type Standing = {
  readonly state: (typeof STANDINGS)[number];
  /** When the node leaves the network's chain; `undefined` while it is in line. Unix seconds. */
  readonly parting: number | undefined;
};

/**
 * How a node's schedule compares with the network's upgrade. `own` are the dates of the schedule, Unix seconds. A node follows
 * the network when the network's date is among them, and leaves it at a later date that most stake does not announce.
 */
export function standingOf(own: readonly number[], network: number, now: number): Standing {
  const dates = own.filter((time) => scheduled(time) !== undefined);
  const last = dates.length === 0 ? undefined : Math.max(...dates);
  const date = scheduled(network);
  const alone = last !== undefined && (last > (date ?? Infinity) || (last > now && last !== date));
  if (date === undefined || dates.includes(date))
    return alone ? { state: "only_here", parting: last } : { state: "in_line", parting: undefined };
  return alone ? { state: "another_time", parting: Math.min(date, last) } : { state: "unknown_here", parting: date };
}
