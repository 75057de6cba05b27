import { Health } from "../../api/node/health.ts";
import { Peers, scheduled, Upgrades } from "../../api/node/info.ts";
import type { ConnectedPeers } from "../../api/peer.ts";
import { setTime } from "../../api/wire.ts";
import { Validators } from "../../api/node/platform.ts";
import { nodeHealthOf } from "../node/health-messages.ts";
import { topByName } from "../labels.ts";
import { gauges, infos, states } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { perAnswer } from "../per-answer.ts";
import { primarySetOf, share, stakesOf, type Stakes } from "../stake.ts";
import { upgradeReadinessAlerts } from "./upgrade-readiness-alerts.ts";
import { networkTime, readyShare, STANDINGS, standingOf, tally, type Standing, type Tally } from "./upgrade-votes.ts";

const needs = { upgrades: Upgrades, report: Health, peers: Peers, sets: Validators };
type Members = ComparedData<typeof needs>["members"];

/** Maximum of polled nodes whose peers are read: each lists nearly all validators, and a fleet can have thousands of nodes. */
const MOST_OBSERVERS = 5;
/** Maximum of announced times with series: validators choose them. */
const MOST_TIMES = 10;
const SOURCE = "(info.peers, `upgradeTime`; info.upgrades; platform.getCurrentValidators, `weight`).";

type State = {
  readonly votes?: { readonly tally: Tally; readonly network: number; readonly ready: number | undefined };
  /** By configured name of the node. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** The network's upgrade, while a polled node lacks it. */
  readonly lacking?: { readonly upgrade: string | undefined; readonly release: string | undefined };
};

const NOTHING: State = { standings: new Map() };

export const upgradeReadiness = comparingTopic(
  {
    id: "upgrade-readiness",
    about: "Which network upgrade is due, how much stake and which polled nodes are ready for it?",
    needs,
    start: () => NOTHING,
    compare: (_state: State, { members }: ComparedData<typeof needs>, { time }) => judge(members, time),
    formulas: [
      {
        metric: "avax_network_upgrade_ready_stake_ratio",
        formula: "stake that announces the network's upgrade time, the most announced one / all stake",
        example: "Five validators of 2,000,000 each; four announce 1795258827, one announces no date.",
        result: 0.8,
      },
      {
        metric: "avax_node_upgrade_ready",
        formula:
          "1 when the network's time is in the node's own schedule and the schedule has no later date, or when neither has a pending date",
        example: "The network's time is 1795258827; the node's schedule has 1607144400 and no date after it.",
        result: 0,
      },
    ],
  },
  {
    ready: gauges(
      "avax_node_upgrade_ready",
      `1 while the node's upgrade time is the one that most stake announces, 0 on a mismatch in either direction, whatever its health check reports; absent without another node to compare ${SOURCE}`,
      ["node"],
      ({ state }) => [...state.standings].map(([node, { state: standing }]) => [{ node }, standing === "in_line"]),
    ),
    standing: states(
      "avax_node_upgrade_state",
      `The node's upgrade time compared with the one that most stake announces: in line, unknown here, known only here, or another time; exactly one is 1 ${SOURCE}`,
      ["node", "state"],
      STANDINGS,
      ({ state }) => [...state.standings].map(([node, { state: standing }]) => [{ node }, standing]),
    ),
    parting: gauges(
      "avax_node_upgrade_mismatch_timestamp_seconds",
      `When a node that is not ready forks off the network, ahead or past; absent while it is ready ${SOURCE}`,
      ["node"],
      ({ state }) => [...state.standings].map(([node, { parting }]) => [{ node }, parting]),
    ),
    info: infos(
      "avax_network_upgrade_info",
      `Name of the upgrade that most stake announces, as polled nodes schedule it, and the first release of peers that announce it; only while a polled node lacks it ${SOURCE.replace("`upgradeTime`", "`upgradeTime`, `version`")}`,
      ["upgrade", "release"],
      ({ state: { lacking } }) =>
        lacking === undefined ? [] : [{ upgrade: lacking.upgrade ?? "", release: lacking.release ?? "" }],
    ),
    readyStake: gauges(
      "avax_network_upgrade_ready_stake_ratio",
      `Share of all stake that announces the network's upgrade time, the most announced one ${SOURCE}`,
      [],
      ({ state }) => [[{}, state.votes?.ready]],
    ),
    time: gauges(
      "avax_network_upgrade_timestamp_seconds",
      `Upgrade time that most stake announces, ahead or past; absent while that is not a date ${SOURCE}`,
      [],
      ({ state }) => [[{}, setTime(scheduled(state.votes?.network) ?? 0)]],
    ),
    stake: gauges(
      "avax_network_upgrade_stake_ratio",
      `Share of all stake by announced upgrade time; unscheduled for a time without a date, unknown for stake without an announcement ${SOURCE}`,
      ["upgrade_time"],
      ({ state }) =>
        state.votes === undefined
          ? []
          : sharesOf(state.votes.tally).map(([time, value]) => [{ upgrade_time: time }, value]),
    ),
  },
  upgradeReadinessAlerts,
);

/** Announced upgrade times by node ID. Releases that do not announce one send 0. */
const announced = perAnswer(({ peers }: ConnectedPeers): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const { nodeID, upgradeTime } of peers) {
    if (upgradeTime !== undefined && upgradeTime > 0) times.set(nodeID, upgradeTime);
  }
  return times;
});

function judge(members: Members, now: number): State {
  const set = primarySetOf(members);
  if (set === undefined) return NOTHING;
  const stakes = stakesOf(set);
  const votes = votesOf(members);
  const count = tally(votes, stakes);
  const network = networkTime(count);
  if (network === undefined) return NOTHING;
  const standings = new Map<string, Standing>();
  for (const {
    facts: { node, nodeId },
    answers: { upgrades },
  } of members) {
    if (upgrades === undefined || !othersAnnounce(nodeId, votes, count, stakes)) continue;
    standings.set(node, standingOf([...upgrades.value.values()], network, now));
  }
  const isLacking = [...standings.values()].some(({ state }) => state === "unknown_here" || state === "another_time");
  const lacking = isLacking
    ? { upgrade: nameIn(members, network), release: releaseOf(members, network, stakes) }
    : undefined;
  return {
    votes: { tally: count, network, ready: readyShare(count, network, now) },
    standings,
    ...(lacking === undefined ? {} : { lacking }),
  };
}

/** The name of the upgrade in the schedule of a polled node that knows it. */
function nameIn(members: Members, time: number): string | undefined {
  for (const { answers } of members)
    for (const [name, at] of answers.upgrades?.value ?? []) if (at === time) return name;
  return undefined;
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

/** Whether other nodes announce a time: a node is not compared with itself. */
function othersAnnounce(nodeId: string | undefined, votes: ReadonlyMap<string, number>, count: Tally, stakes: Stakes) {
  const own = nodeId !== undefined && votes.has(nodeId) ? (stakes.byNode.get(nodeId) ?? 0n) : 0n;
  return count.known > own;
}

/** Times that the peers of the first polled nodes announce, and those of polled nodes that are not among them. */
function votesOf(members: Members): ReadonlyMap<string, number> {
  const votes = new Map<string, number>();
  const observers = members.filter(({ answers }) => answers.peers !== undefined).slice(0, MOST_OBSERVERS);
  for (const { answers } of observers) {
    if (answers.peers === undefined) continue;
    for (const [nodeId, time] of announced(answers.peers.value)) if (!votes.has(nodeId)) votes.set(nodeId, time);
  }
  for (const { facts, answers } of members) {
    if (facts.nodeId === undefined || votes.has(facts.nodeId)) continue;
    const own = ownTime(answers);
    if (own !== undefined) votes.set(facts.nodeId, own);
  }
  return votes;
}

/** The last upgrade of a node: from its health check, else the last date of its schedule. */
function ownTime({ report, upgrades }: Members[number]["answers"]): number | undefined {
  const checked = report === undefined ? undefined : nodeHealthOf(report.value).localUpgradeTime;
  if (checked !== undefined) return checked;
  const dates = [...(upgrades?.value.values() ?? [])].filter((time) => scheduled(time) !== undefined);
  return dates.length === 0 ? undefined : Math.max(...dates);
}

function sharesOf({ byTime, known, total }: Tally): ReadonlyArray<readonly [time: string, ratio: number]> {
  const named = [...byTime].map(([time, stake]) => [nameOf(time), share(stake, total) ?? 0] as const);
  const silent = share(total - known, total) ?? 0;
  return topByName(silent > 0 ? [...named, ["unknown", silent]] : named, MOST_TIMES);
}

function nameOf(time: number): string {
  return scheduled(time) === undefined ? "unscheduled" : new Date(time * 1000).toISOString().replace(".000Z", "Z");
}
