import { Peers, Upgrades } from "../../api/node/info.ts";
import { type Validator, Validators, WatchedValidators } from "../../api/node/platform.ts";
import type { Value } from "../../exposition/sample.ts";
import { type Context, gauges } from "../define/metric.ts";
import { type Data, optional } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { watched } from "./members.ts";
import { observedPeriods } from "./observed-periods.ts";
import { downtimeBudget } from "./staking-period.ts";

/** What each node reports of others. */
const VIEW = "as observed by this node; its value for itself is not an observation";
/** A node is always connected to itself, so its own uptime comes from its peers. */
const SEEN =
  "as observed by this node, for itself by the median of its peers' stake: up to half a point of uptime too high or too low, because peers report whole percents, and absent while less than half of all stake reports";

const needs = {
  answers: WatchedValidators,
  upgrades: optional(Upgrades),
  sets: optional(Validators),
  peers: optional(Peers),
};
type Answers = Data<typeof needs>;

export const rewardVerdict = topic(
  {
    id: "reward-verdict",
    about:
      "What does each polled node observe of the watched validators: are they online, and how much downtime is left?",
    scope: "observer",
    needs,
    formulas: [
      {
        metric: "avax_validator_downtime_budget_remaining_seconds",
        formula: "uptime · (answer - start) + (end - answer) - requirement · (end - start)",
        example:
          "A period of 14 days from 1785250800 to 1786460400 with requirement 0.9, observed 10 days after its start with uptime 0.875: 0.875 · 864,000 + 345,600 - 0.9 · 1,209,600.",
        result: 12_960,
      },
    ],
  },
  {
    uptime: ofRecords(
      "avax_validator_uptime_ratio",
      `Uptime of a watched validator since its stake began, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`uptime\`).`,
      ({ uptime }) => uptime,
    ),
    connected: ofRecords(
      "avax_validator_connected",
      `1 while a watched validator is connected, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`connected\`).`,
      ({ connected }) => connected,
    ),
    budget: gauges(
      "avax_validator_downtime_budget_remaining_seconds",
      `Downtime that a watched validator has left before its reward is lost, at the time of the answer; negative when the reward is lost, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      ["subnet", "node_id"],
      (data: Answers, context: Context) => {
        const { answers = context.time, peers = context.time } = context.times;
        return observedPeriods(data, context, { answers, peers }).map(({ labels, period, requirement }) => [
          labels,
          requirement === undefined ? undefined : downtimeBudget(period, requirement),
        ]);
      },
    ),
  },
);

/** A figure of the records; those of L1s have a topic of their own. */
function ofRecords(name: string, help: string, read: (validator: Validator) => Value) {
  return gauges(name, help, ["subnet", "node_id"], ({ answers }: Answers, { watch }: Context) =>
    watched(answers, watch)
      .filter(([, { validationID }]) => validationID === undefined)
      .map(([labels, each]) => [labels, read(each)] as const),
  );
}
