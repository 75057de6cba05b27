import { Peers, Upgrades } from "../../api/node/info.ts";
import { Validators, WatchedValidators } from "../../api/node/platform.ts";
import { perRow, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";
import { rewardAlerts } from "./reward-alerts.ts";
import { LITTLE_BUDGET_RATIO, scarceDowntime, uptimeShortfall } from "./reward-state.ts";
import { isInLastQuarter } from "./validator.ts";
import { restoreStakes, saveStakes, stakesAfter, type WatchedStake } from "./watched-stake.ts";

const needs = { reach: Reaches, watched: WatchedValidators, upgrades: Upgrades, sets: Validators, peers: Peers };

/** The stakes at a time, Unix seconds. */
type State = { readonly stakes: readonly WatchedStake[]; readonly at: number };

const SOURCE = "(platform.getCurrentValidators with nodeIDs, `uptime`, `startTime`, `endTime`";
const BY = "by the median of the polled nodes that observe it; while all of these are silent, the last one";

const ofStake = perRow({
  labels: ["subnet", "node_id"],
  of: ({ state: { stakes, at } }: { readonly state: State }) =>
    stakes.map(
      (stake) =>
        [
          { subnet: stake.subnet, node_id: stake.nodeId },
          { ...stake, at },
        ] as const,
    ),
});

export const reward = comparingTopic(
  {
    id: "reward",
    about: "Will each watched validator be rewarded, by all polled nodes together?",
    needs,
    start: (): State => ({ stakes: [], at: 0 }),
    compare: (before: State, { members }: ComparedData<typeof needs>, { watchNetwork, time }: Context): State => ({
      stakes: stakesAfter(before.stakes, members, watchNetwork, time),
      at: time,
    }),
    saved: {
      save: ({ stakes }: State) => saveStakes(stakes),
      restore: (data: unknown): State => ({ stakes: restoreStakes(data), at: 0 }),
    },
    formulas: [
      {
        metric: "avax_validator_attainable_uptime_ratio",
        formula: "(uptime · (answer - start) + (end - answer)) / (end - start), the median of the observers",
        example:
          "A period of 14 days from 1785250800 to 1786460400, observed 10 days after its start with uptime 0.875: (756,000 + 345,600) / 1,209,600.",
        result: 0.910714285714,
      },
      {
        metric: "avax_validator_uptime_margin",
        formula: "uptime - requirement, the median of the observers",
        example: "An uptime of 0.875 where 0.9 is required.",
        result: -0.025,
      },
    ],
  },
  {
    left: ofStake.gauge(
      "avax_validator_downtime_left_seconds",
      `Downtime that a watched validator has left before its reward is lost, negative once it is, ${BY} ${SOURCE}; info.peers, \`observedUptime\`).`,
      ({ figures: { left } }) => left,
    ),
    scarce: ofStake.gauge(
      "avax_validator_downtime_scarce_seconds",
      `Downtime that a watched validator has left where it is less than ${LITTLE_BUDGET_RATIO * 100} % of its whole budget; +Inf while more is left, and once the reward is lost, ${BY} ${SOURCE}; info.peers, \`observedUptime\`).`,
      ({ figures: { left, whole } }) => (left === undefined ? undefined : scarceDowntime(left, whole)),
    ),
    excess: ofStake.gauge(
      "avax_validator_downtime_excess_seconds",
      `Downtime of a watched validator beyond what its reward allows; 0 while the reward is not lost, ${BY} ${SOURCE}; info.peers, \`observedUptime\`).`,
      ({ figures: { left } }) => (left === undefined ? undefined : Math.max(0, -left)),
    ),
    shortfall: ofStake.gauge(
      "avax_validator_uptime_shortfall_ratio",
      `How far the uptime of a watched validator is below its requirement, once a tenth of its downtime budget is used; else 0, ${BY} ${SOURCE}; info.upgrades, \`heliconTime\`).`,
      ({ figures }) => (figures.margin === undefined ? undefined : uptimeShortfall(figures)),
    ),
    removal: ofStake.gauge(
      "avax_validator_removal_timestamp_seconds",
      `When an auto-renewed validator will be removed instead of renewed, because its reward is lost; +Inf while it will be renewed, and before the last quarter of its cycle; absent for others ${SOURCE}, \`nextPeriod\`).`,
      ({ renews, start, end, at, figures: { left } }) => {
        if (!renews || left === undefined) return undefined;
        return left < 0 && isInLastQuarter({ start, end }, at) ? end : Infinity;
      },
    ),
    uptime: ofStake.gauge(
      "avax_validator_observed_uptime_ratio",
      `Uptime of a watched validator since its stake began, ${BY} ${SOURCE}; info.peers, \`observedUptime\`).`,
      ({ figures: { uptime } }) => uptime,
    ),
    attainable: ofStake.gauge(
      "avax_validator_attainable_uptime_ratio",
      `Uptime of a watched validator at the end of its period if it has no more downtime, ${BY} ${SOURCE}; info.peers, \`observedUptime\`).`,
      ({ figures: { attainable } }) => attainable,
    ),
    margin: ofStake.gauge(
      "avax_validator_uptime_margin",
      `Uptime of a watched validator minus its requirement, negative below it, ${BY} ${SOURCE}; info.upgrades, \`heliconTime\`; info.peers, \`observedUptime\`).`,
      ({ figures: { margin } }) => margin,
    ),
  },
  rewardAlerts,
);
