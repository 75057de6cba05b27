import { scheduled } from "../../api/node/info.ts";
import { share, type Stakes } from "../stake.ts";

/** Which upgrade the network is going for, by what its validators announce, and whether a node goes with it. */

/** Times that validators announce, Unix seconds, by node ID: of the last upgrade that each knows of; year 9999 for one without a date. */
export type Votes = ReadonlyMap<string, number>;

/** nAVAX by announced time; stake that is known, and all of it. */
export type Tally = { readonly byTime: ReadonlyMap<number, bigint>; readonly known: bigint; readonly total: bigint };

export function tally(votes: Votes, { byNode, total }: Stakes): Tally {
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

/** The time that most stake announces; of two with as much the one with a date, then the later one. Nothing without votes. */
export function networkTime({ byTime }: Tally): number | undefined {
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
 * Share of all stake that announces the network's time. While that is no date, whoever announces an upgrade of the past
 * has nothing ahead either. Stake that says nothing is not ready.
 */
export function readyShare({ byTime, total }: Tally, network: number, now: number): number | undefined {
  let ready = 0n;
  for (const [time, stake] of byTime) {
    if (time === network || (scheduled(network) === undefined && time <= now)) ready += stake;
  }
  return share(ready, total);
}

export const STANDINGS = ["in_line", "unknown_here", "only_here", "another_time"] as const;
export type Standing = {
  readonly state: (typeof STANDINGS)[number];
  /** When the node and the network part ways; nothing while they are in line. Unix seconds. */
  readonly parting: number | undefined;
};

/**
 * Where a node stands to the network's upgrade. `own` are the dates of its schedule. A node that has the network's date
 * in its schedule follows, whatever it announces; one that has a later date, which most stake does not know, goes alone.
 */
export function standingOf(own: readonly number[], network: number, now: number): Standing {
  const dates = own.filter((time) => scheduled(time) !== undefined);
  const last = dates.length === 0 ? undefined : Math.max(...dates);
  const date = scheduled(network);
  if (date === undefined) {
    return last !== undefined && last > now
      ? { state: "only_here", parting: last }
      : { state: "in_line", parting: undefined };
  }
  const alone = last !== undefined && (last > date || (last > now && last !== date));
  if (dates.includes(date)) {
    return alone ? { state: "only_here", parting: last } : { state: "in_line", parting: undefined };
  }
  return alone ? { state: "another_time", parting: Math.min(date, last) } : { state: "unknown_here", parting: date };
}
