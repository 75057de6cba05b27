import { Health } from "../../api/node/health.ts";
import { EvmHead } from "../../api/node/evm-head.ts";
import { Peers, scheduled, Upgrades } from "../../api/node/info.ts";
import { PlatformHeight, Validators } from "../../api/node/platform.ts";
import type { Peer } from "../../api/peer.ts";
import { chainIds } from "../chain-ids.ts";
import type { ComparedData } from "../define/needs.ts";
import { nodeHealthOf } from "../node/health-messages.ts";
import { perAnswer } from "../per-answer.ts";
import { Reaches } from "../reach.ts";
import { primarySetOf, share, stakesOf, type Stakes } from "../stakes.ts";
import {
  missingShare,
  outcomeOf,
  readyShare,
  standingOf,
  type KnownUpgrade,
  type PolledSchedule,
  type Standing,
  type StakeTally,
} from "./known-upgrade.ts";

/** What the polled nodes of a network announce and schedule of its upgrade, and by whose word. */

export const needs = {
  upgrades: Upgrades,
  report: Health,
  peers: Peers,
  sets: Validators,
  ids: chainIds,
  height: PlatformHeight,
  heads: EvmHead,
  reach: Reaches,
};
export type Members = ComparedData<typeof needs>["members"];

/** Maximum of polled nodes whose peers are read: each lists nearly all validators, and a fleet can have thousands of nodes. */
const MOST_OBSERVERS = 5;
/** The label of an upgrade or release whose name none of the polled nodes has. */
export const UNNAMED = "unknown";

/** Node IDs with their announced upgrade times. Releases that do not announce one send 0. */
const announced = perAnswer((peers: readonly Peer[]) =>
  peers.flatMap(({ nodeID, upgradeTime = 0 }) => (upgradeTime > 0 ? [[nodeID, upgradeTime] as const] : [])),
);

/** The stake behind each announced time, the network's time, and the shares of all stake that are ready for it and lack it. */
export type Votes = {
  readonly tally: StakeTally;
  readonly network: number;
  readonly ready: number | undefined;
  readonly missing: number | undefined;
};

type Judged = { readonly stakes: Stakes; readonly standings: ReadonlyMap<string, Standing>; readonly votes: Votes };

/** What the members announce and schedule; `undefined` where no upgrade of the network is known. */
export function judgedUpgrade(members: Members, now: number): Judged | undefined {
  const set = primarySetOf(members);
  if (set === undefined) return undefined;
  const stakes = stakesOf(set);
  const polled = members.map(polledOf);
  const outcome = outcomeOf(polled, heardBy(members), stakes);
  if (outcome === undefined) return undefined;
  const { tally, network, isAnnounced } = outcome;
  const standings = new Map(
    members.flatMap(({ facts: { node, nodeId }, answers: { upgrades } }) =>
      upgrades === undefined || !hasOthers(nodeId, outcome, polled, stakes)
        ? []
        : [[node, standingOf([...upgrades.value.values()], network, now)] as const],
    ),
  );
  const ready = readyShare(tally, network, now);
  const missing = missingShare(tally, network, ready, now);
  return { stakes, standings, votes: { tally, network, ready: isAnnounced ? ready : undefined, missing } };
}

/** The name and the release of the network's upgrade. */
export type NetworkUpgrade = { readonly upgrade: string; readonly release: string };

/** The name of the network's upgrade as a polled node schedules it, and the release that has it. */
export function namesOf(members: Members, network: number, stakes: Stakes): NetworkUpgrade {
  const named = members.flatMap(({ answers }) => [...(answers.upgrades?.value ?? [])]).find(([, at]) => at === network);
  return { upgrade: named?.[0] ?? UNNAMED, release: releaseOf(members, network, stakes) ?? UNNAMED };
}

/** Stake that must run a release before it counts: any peer can claim any release. */
const LEAST_SHARE = 0.01;

/** The lowest release among validators that announce the time. */
function releaseOf(members: Members, network: number, { byNode, total }: Stakes): string | undefined {
  const stakes = new Map<string, bigint>();
  const observer = members.find(({ answers }) => answers.peers !== undefined)?.answers.peers?.value;
  for (const { nodeID, version, upgradeTime } of observer?.peers ?? []) {
    const stake = byNode.get(nodeID);
    const release = /^avalanchego\/(\d+\.\d+\.\d+)$/.exec(version)?.[1];
    if (upgradeTime !== network || stake === undefined || release === undefined) continue;
    stakes.set(release, (stakes.get(release) ?? 0n) + stake);
  }
  const found = [...stakes]
    .filter(([, stake]) => (share(stake, total) ?? 0) >= LEAST_SHARE)
    .map(([release]) => release);
  return found.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))[0];
}

/** Whether another node is known to have an upgrade or not: a node is not compared with itself. */
function hasOthers(
  nodeId: string | undefined,
  { votes, tally, isAnnounced }: KnownUpgrade,
  polled: readonly PolledSchedule[],
  stakes: Stakes,
) {
  if (!isAnnounced) return polled.filter(({ last }) => last !== undefined).length > 1;
  const own = nodeId !== undefined && votes.has(nodeId) ? (stakes.byNode.get(nodeId) ?? 0n) : 0n;
  return tally.known > own;
}

/** Times that the peers of the first polled nodes announce, as most of those report that report one: one node's word pages no other. */
function heardBy(members: Members): ReadonlyMap<string, number> {
  const observers = members.flatMap(({ answers: { peers } }) => (peers === undefined ? [] : [peers.value.peers]));
  const heard = observers.slice(0, MOST_OBSERVERS).flatMap((peers) => announced(peers));
  return new Map(
    [...Map.groupBy(heard, ([nodeId]) => nodeId)].flatMap(([nodeId, reports]) => {
      const most = reports.find(
        ([, time]) => 2 * reports.filter(([, other]) => other === time).length > reports.length,
      );
      return most === undefined ? [] : [[nodeId, most[1]] as const];
    }),
  );
}

function polledOf({ facts: { nodeId }, answers: { report, upgrades } }: Members[number]): PolledSchedule {
  const dates = [...(upgrades?.value.values() ?? [])].filter((time) => scheduled(time) !== undefined);
  const own = report && nodeHealthOf(report.value).localUpgradeTime;
  const last = dates.length === 0 ? undefined : Math.max(...dates);
  return { nodeId, announced: own, last, tellsOlder: own !== undefined && own < (last ?? 0) && dates.includes(own) };
}
