import { Peers, Upgrades } from "../../api/node/info.ts";
import { PRIMARY, Validators, WatchedValidators, type Validator } from "../../api/node/platform.ts";
import type { Value } from "../../exposition/sample.ts";
import { gauges, type Context } from "../define/metric.ts";
import { maybe, type Data } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { latestPast } from "../past.ts";
import { observationOf, uptimeByPeers } from "./observation.ts";
import { heliconOf, requirementOf } from "./validator-requirement.ts";
import { rewardVerdictAlerts } from "./reward-verdict-alerts.ts";
import { stakesOf } from "../stake.ts";
import { attainableUptime, downtimeBudget, uptimeMargin, type Period } from "./verdict.ts";

/** What each node reports of others. */
const VIEW = "as observed by this node; its value for itself is not an observation";
/** A node is always connected to itself, so its own uptime comes from its peers. */
const SEEN =
  "as observed by this node, for itself by the median of its peers' stake: up to half a point of uptime too high or too low, because peers report whole percents, and absent while less than half of all stake reports";

const needs = { answers: WatchedValidators, upgrades: maybe(Upgrades), sets: maybe(Validators), peers: maybe(Peers) };
type Answers = Data<typeof needs>;

const EXAMPLE_WORDS =
  "A period of 14 days from 1785250800 to 1786460400 with requirement 0.9, observed 10 days after its start with uptime 0.875:";

export const rewardVerdict = topic(
  {
    id: "reward-verdict",
    about:
      "What does each polled node observe of the watched validators: will they be rewarded, and how much downtime is left?",
    scope: "observer",
    needs,
    formulas: [
      {
        metric: "avax_validator_downtime_budget_remaining_seconds",
        formula: "uptime · (answer - start) + (end - answer) - requirement · (end - start)",
        example: `${EXAMPLE_WORDS} 0.875 · 864,000 + 345,600 - 0.9 · 1,209,600.`,
        result: 12_960,
      },
      {
        metric: "avax_validator_attainable_uptime_ratio",
        formula: "(uptime · (answer - start) + (end - answer)) / (end - start)",
        example: `${EXAMPLE_WORDS} (756,000 + 345,600) / 1,209,600.`,
        result: 0.910714285714,
      },
      {
        metric: "avax_validator_uptime_margin",
        formula: "uptime - requirement",
        example: `${EXAMPLE_WORDS} 0.875 - 0.9.`,
        result: -0.025,
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
    budget: ofPeriods(
      "avax_validator_downtime_budget_remaining_seconds",
      `Downtime that a watched validator has left before its reward is lost, at the time of the answer; negative when the reward is lost, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      (period, requirement) => (requirement === undefined ? undefined : downtimeBudget(period, requirement)),
    ),
    attainable: ofPeriods(
      "avax_validator_attainable_uptime_ratio",
      `Uptime of a watched validator at the end of its period if it has no more downtime, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      attainableUptime,
    ),
    margin: ofPeriods(
      "avax_validator_uptime_margin",
      `Uptime of a watched validator minus its requirement, negative below it, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`; info.upgrades, \`heliconTime\`; info.peers, \`observedUptime\`).`,
      ({ uptime }, requirement) => (requirement === undefined ? undefined : uptimeMargin(uptime, requirement)),
    ),
  },
  rewardVerdictAlerts,
);

/** Records by subnet. Only of watched validators: a server can ignore `nodeIDs`, and the watch list can have changed since the answer. */
function recordsOf({ answers }: Answers, { watch }: Context): ReadonlyArray<readonly [string, Validator]> {
  const watched = new Set(watch);
  return [...answers].flatMap(([subnet, { validators }]) =>
    validators.filter(({ nodeID }) => watched.has(nodeID)).map((each) => [subnet, each] as const),
  );
}

/** A figure of the records; those of L1s have a topic of their own. */
function ofRecords(name: string, help: string, read: (validator: Validator) => Value) {
  return gauges(name, help, ["subnet", "node_id"], (data: Answers, context: Context) =>
    recordsOf(data, context)
      .filter(([, { validationID }]) => validationID === undefined)
      .map(([subnet, each]) => [{ subnet, node_id: each.nodeID }, read(each)] as const),
  );
}

/** A figure of the periods. */
function ofPeriods(
  name: string,
  help: string,
  read: (period: Period, requirement: number | undefined) => number | undefined,
) {
  return gauges(name, help, ["subnet", "node_id"], (data: Answers, context: Context) => {
    const { nodeId, subnets } = context;
    // Without the node's ID its own record, which is not an observation, cannot be recognized.
    if (nodeId === undefined) return [];
    const helicon = heliconOf(data.upgrades);
    return recordsOf(data, context).flatMap(([subnet, each]) => {
      const { nodeID, startTime: start, endTime: end } = each;
      const isOwn = nodeID === nodeId;
      const at = context.times[isOwn ? "peers" : "answers"] ?? context.time;
      const uptime = isOwn ? ownUptime(data, subnet, nodeId) : each.uptime;
      if (uptime === undefined || start === undefined || end === undefined || start > latestPast(at)) return [];
      const requirement = data.upgrades === undefined ? undefined : requirementOf(each, subnet, helicon, subnets);
      return [[{ subnet, node_id: nodeID }, read({ start, end, at: Math.min(at, end), uptime }, requirement)] as const];
    });
  });
}

/**
 * The node's own uptime as the network observes it. The average of `info.uptime` is no substitute: it counts validators that
 * are not connected as 0, so it would blame a node for the outage of others.
 */
function ownUptime({ sets, peers }: Answers, subnet: string, nodeId: string): number | undefined {
  const set = sets?.get(PRIMARY);
  if (subnet !== PRIMARY || set === undefined || peers === undefined) return undefined;
  return uptimeByPeers(observationOf(peers, stakesOf(set), nodeId));
}
