import { counted } from "../define/counted.ts";
import { scheduled } from "../../api/node/info.ts";
import { setTime } from "../../api/wire.ts";
import { heightsAfter, lagOf, type Heights } from "../chains/lag.ts";
import { topByName } from "../labels.ts";
import { gauge, gauges, infos, states, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { share } from "../stakes.ts";
import { judgedUpgrade, namesOf, needs, type Members, type NetworkUpgrade, type Votes } from "./judged-upgrade.ts";
import { SAVED_VERDICTS, verdictOf, verdictsAfter, type Verdicts } from "./upgrade-verdict.ts";
import { STANDINGS, type Standing, type StakeTally } from "./known-upgrade.ts";
import type { Alerts, Runbook } from "../define/alert.ts";
import type { Named } from "../define/selector.ts";
import { atNode, LEFT_BEHIND, NETWORK_HALTED, NODE_AWAY, REPLACED } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** Maximum of announced times with series: validators choose them. */
const MOST_TIMES = 10;
const SOURCE = "(info.peers, `upgradeTime`; info.upgrades; platform.getCurrentValidators, `weight`).";
/** Whose time is compared. */
const NETWORK_TIME =
  "the time that most stake announces, or, where releases announce an older upgrade than they schedule, the latest that a polled node schedules";

type State = {
  readonly votes?: Votes;
  readonly verdicts: Verdicts;
  /** While a node is not ready: only then its blocks tell whether it has forked off. */
  readonly heights: Heights;
  /** The name and the release of the network's upgrade, while a polled node lacks it. */
  readonly lacking: readonly NetworkUpgrade[];
};

const NOTHING: State = { verdicts: new Map(), heights: new Map(), lacking: [] };

/** A week leaves time to plan an upgrade of the node. Seconds. */
export const UPGRADE_DUE = 7 * 86_400;
/** Within a day the upgrade is urgent. Seconds. */
export const UPGRADE_IMMINENT = 86_400;

const due = threshold("upgrade-due", "seconds", "when an upgrade that the node lacks activates within this time", {
  standard: UPGRADE_DUE,
  least: 3_600,
  most: 90 * 86_400,
});

const imminent = threshold(
  "upgrade-imminent",
  "seconds",
  "when an upgrade that the node lacks activates within this time",
  { standard: UPGRADE_IMMINENT, least: 3_600, most: 30 * 86_400, below: "upgrade-due" },
);

/** A network loses its quorum with some more. */
const stakeLeft = threshold(
  "stake-not-upgraded",
  "share",
  "when more than this share of the stake lacks the active upgrade",
  { standard: 0.05, least: 0.001, most: 0.5 },
);

const FORKS_OFF =
  "{{ $labels.node }} forks off {{ if lt $value 0.0 }}now{{ else }}in {{ $value | humanizeDuration }}{{ end }}: upgrade not ready";

const CONFIRM =
  "`avax_node_upgrade_state` shows the kind of mismatch, `avax_network_upgrade_info` the name of the upgrade and the first release with it. `avax_network_upgrade_timestamp_seconds` is the network's upgrade time, `avax_network_upgrade_stake_ratio` the stake behind each time. `info.upgrades` of the node is its own schedule.";
const COMPARE_SCHEDULES: Runbook["commands"] = {
  "call <node> info.upgrades": "The node's own schedule; a date in the year 9999 means not scheduled.",
  "call <any-node> info.upgrades": "The schedule of a node that is ready: the lines that differ are the mismatch.",
};
const ACTION =
  "If it lacks the upgrade, install the release; `/restart` has the order of nodes. If it has it alone or at another time, correct its release or its upgrade file by the announcement.";

export const upgradeReadiness = comparingTopic(
  {
    id: "upgrade-readiness",
    about: "Which network upgrade is due, how much stake and which polled nodes are ready for it?",
    needs,
    start: () => NOTHING,
    compare: (state: State, { members }: ComparedData<typeof needs>, { time }: Context) => next(state, members, time),
    saved: {
      save: ({ verdicts }: State) => SAVED_VERDICTS.save(verdicts),
      restore: (text: unknown): State => ({ ...NOTHING, verdicts: SAVED_VERDICTS.restore(text) }),
    },
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
      `1 while the node's schedule has the network's upgrade, 0 on a mismatch in either direction, whatever its health check reports; the network's is ${NETWORK_TIME}; absent without another node to compare ${SOURCE}`,
      ["node"],
      ({ state }) => [...state.verdicts].map(([node, { state: standing }]) => [{ node }, standing === "in_line"]),
    ),
    standing: states(
      "avax_node_upgrade_state",
      `The node's schedule compared with the network's upgrade, as in avax_node_upgrade_ready: in line, unknown to the node, known to it alone, or at another time ${SOURCE}`,
      ["node", "state"],
      STANDINGS,
      ({ state }) => [...state.verdicts].map(([node, { state: standing }]) => [{ node }, standing]),
    ),
    parting: gauges(
      "avax_node_fork_timestamp_seconds",
      `When a node that is not ready forks off the network, ahead or past; +Inf while it is ready, and once ten minutes of blocks show that it follows the network all the same; of a node that does not answer the last one ${SOURCE}`,
      ["node"],
      ({ state }) => [...state.verdicts].map(([node, { forksAt }]) => [{ node }, forksAt]),
    ),
    leftBehind: gauges(
      "avax_node_left_behind_blocks",
      `Blocks that a node is behind the others of its network since it forked off at an upgrade, 0 otherwise; absent where only its blocks could show it and there is no other node to compare; of a node that does not answer the last figure ${SOURCE.replace(").", "; heights as for `avax_chain_lag_blocks`).")}`,
      ["node"],
      ({ state }) => [...state.verdicts].map(([node, { leftBehind }]) => [{ node }, leftBehind]),
    ),
    info: infos(
      "avax_network_upgrade_info",
      `Name of the network's upgrade, as polled nodes schedule it, and the first release of peers that announce it, each unknown where none does; only while a polled node lacks it ${SOURCE.replace("`upgradeTime`", "`upgradeTime`, `version`")}`,
      ["upgrade", "release"],
      ({ state }) => state.lacking,
    ),
    readyStake: gauge(
      "avax_network_upgrade_ready_stake_ratio",
      `Share of all stake that announces the network's upgrade time, the most announced one; absent where most stake announces an older upgrade than its release schedules ${SOURCE}`,
      ({ state }) => state.votes?.ready,
    ),
    missingStake: gauge(
      "avax_network_upgrade_missing_stake_ratio",
      `Share of all stake that is known to lack the network's upgrade, from its activation on; 0 before ${SOURCE}`,
      ({ state }) => state.votes?.missing,
    ),
    time: gauge(
      "avax_network_upgrade_timestamp_seconds",
      `The network's upgrade, ahead or past: ${NETWORK_TIME}; absent while that is not a date ${SOURCE}`,
      ({ state }) => setTime(scheduled(state.votes?.network) ?? 0),
    ),
    stake: gauges(
      "avax_network_upgrade_stake_ratio",
      `Share of all stake by announced upgrade time; unscheduled for a time without a date, unknown for stake without an announcement that says which upgrades it has ${SOURCE}`,
      ["upgrade_time"],
      ({ state }) =>
        state.votes === undefined
          ? []
          : sharesOf(state.votes.tally).map(([time, value]) => [{ upgrade_time: time }, value]),
    ),
  },
  ({ parting, leftBehind, missingStake }) => ({
    ...unreadyAlerts(parting),
    AvaxNodeLeftBehind: {
      severity: "critical",
      when: { of: leftBehind, above: 0 },
      for: "2m",
      explainedBy: [REPLACED],
      impact:
        "The node no longer follows the network: a validator's votes do not count, and an API node serves old data.",
      summary: `{{ $labels.node }} missed the upgrade and is ${counted("block")} behind`,
      over: "follows the network again",
      meaning:
        "The node follows other rules than the network. It accepts no more blocks although its health, peers and connected stake look normal.",
      confirm:
        "`avax_node_left_behind_blocks`, `avax_chain_lag_blocks` and `avax_chain_height_changed_timestamp_seconds` of the node; `avax_node_upgrade_state`; its version compared with the other nodes.",
      commands: {
        "call <node> info.getNodeVersion": "A version older than the release with the upgrade.",
        "call <node> platform.getHeight": "Does not rise between two calls, or differs from the height of the others.",
        "call <any-node> platform.getHeight": "Rises between two calls.",
      },
      action:
        "Install the release with the upgrade and restart the node. It catches up by itself: do not delete its database.",
      falsePositives:
        "Releases only announce different last upgrades, and the node has been behind for another reason since the date.",
    },
    AvaxNetworkStakeNotUpgraded: {
      severity: "warning",
      when: { of: missingStake, above: stakeLeft },
      labels: ["network"],
      for: "1h",
      explainedBy: [{ ...NETWORK_HALTED, equal: ["network"] }],
      summary: '{{ $labels.network }}: {{ $value | printf "%.1f" }} % of the stake lacks the active upgrade',
      over: "has the active upgrade on its stake",
      meaning:
        "Stake that missed an upgrade does not vote. Below 80 % of connected and upgraded stake the network stops accepting blocks.",
      confirm:
        "`avax_network_upgrade_missing_stake_ratio` is the share that lacks it, `avax_network_upgrade_stake_ratio` the stake behind each announced time, `avax_network_upgrade_ready_stake_ratio` the share that announces the network's time.",
      commands: {
        "call <any-node> info.peers":
          "`upgradeTime` and `version` of each peer: the old ones are those that were left behind.",
        "call <any-node> info.upgrades": "The time of the upgrade that is active.",
      },
      action: "Upgrade your own nodes among them, and inform the operators of the others.",
      falsePositives: "Validators announce an upgrade that comes later than the active one.",
    },
  }),
);

/** Alerts about a node whose upgrade is not that of its network. */
function unreadyAlerts(parting: Named<string>): Alerts {
  return {
    AvaxNodeUpgradeDue: {
      severity: "warning",
      when: { of: parting, within: due },
      for: "15m",
      explainedBy: [
        ...NODE_AWAY,
        atNode(
          "AvaxNodeUpgradeNotReady",
          "Its upgrade activates within a day, or has activated: that page is about it.",
        ),
      ],
      summary: FORKS_OFF,
      over: "follows the upgrade of the network",
      meaning:
        "The upgrade time of this node differs from the network's. At the earlier of the two times, the rules of node and network diverge, and the node stalls. Its health check can miss this.",
      confirm: CONFIRM,
      commands: COMPARE_SCHEDULES,
      action: ACTION,
      falsePositives:
        "You upgraded early and most of the stake has not: the node has a date that the network does not announce yet.",
    },
    AvaxNodeUpgradeNotReady: {
      severity: "critical",
      when: { of: parting, within: imminent },
      for: "5m",
      explainedBy: [LEFT_BEHIND],
      impact: "At the activation the node stops following the network, and its uptime falls.",
      summary: FORKS_OFF,
      over: "follows the upgrade of the network",
      meaning:
        "After the activation the node rejects the network's blocks, or the network rejects its blocks. The node stalls but still reports itself healthy, and its uptime falls.",
      confirm: CONFIRM,
      commands: COMPARE_SCHEDULES,
      action: ACTION,
      falsePositives:
        "Releases announce different last upgrades while no upgrade is pending: the node keeps up with the others (`avax_chain_lag_blocks` is 0).",
    },
  };
}

function next(before: State, members: Members, now: number): State {
  const judged = judgedUpgrade(members, now);
  const standings = judged?.standings ?? new Map<string, Standing>();
  const isSplit = [...standings.values()].some(({ parting }) => parting !== undefined);
  const heights = isSplit ? heightsAfter(before.heights, { members }) : NOTHING.heights;
  const verdicts = verdictsAfter(before.verdicts, members, (node) => {
    const standing = standings.get(node);
    return standing && verdictOf(standing, lagOf(heights, node), now);
  });
  if (judged === undefined) return { ...NOTHING, verdicts };
  const { votes, stakes } = judged;
  const isLacking = [...verdicts.values()].some(({ state }) => state === "unknown_here" || state === "another_time");
  return { ...{ votes, verdicts, heights }, lacking: isLacking ? [namesOf(members, votes.network, stakes)] : [] };
}

function sharesOf({ byTime, known, total }: StakeTally): ReadonlyArray<readonly [time: string, ratio: number]> {
  const named = [...byTime].map(([time, stake]) => [nameOf(time), share(stake, total) ?? 0] as const);
  const silent = share(total - known, total) ?? 0;
  return topByName(silent > 0 ? [...named, ["unknown", silent]] : named, MOST_TIMES);
}

function nameOf(time: number): string {
  return scheduled(time) === undefined ? "unscheduled" : new Date(time * 1000).toISOString().replace(".000Z", "Z");
}
