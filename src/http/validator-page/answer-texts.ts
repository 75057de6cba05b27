import { type StakeView, disagreeing } from "../../diagnosis/validator/stake-view.ts";
import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import type { RewardVerdict, VerdictReason, VerdictState } from "../../diagnosis/validator/reward-verdict.ts";
import { NEAR_REQUIREMENT_RATIO } from "../../topics/validators/reward-state.ts";
import { percent } from "../../config/base/figures.ts";
import { span } from "../../config/base/durations.ts";
import { count, grouped } from "../status-page/count.ts";

/** The words for what is known about a validator. */

const ANSWERS = {
  safe: "Reward safe",
  at_risk: "Reward at risk",
  lost: "Reward lost",
  unknown: "Reward unknown",
  none: "No reward",
} as const satisfies Readonly<Record<VerdictState, string>>;

/** Where the reason decides and not the state. */
const SETTLED: Partial<Record<VerdictReason, string>> = {
  paid: "Reward paid",
  denied: "Reward denied",
  ended: "Period ended",
  not_in_set: "Not validating",
  not_a_validator: "Not validating",
};

/** The verdict in two words. */
export function answerOf({ state, reason }: RewardVerdict): string {
  return SETTLED[reason] ?? ANSWERS[state];
}

/** Why the overall verdict of a validator is what it is, in sentences. */
export function reasonsOf(view: ValidatorView): readonly string[] {
  const stake = view.stakes.find(({ reward }) => reward === view.reward);
  return stake === undefined ? [withoutStake(view)] : stakeReasons(stake, titleOf(view));
}

const UNJUDGED: Partial<Record<VerdictReason, string>> = {
  no_reward: "Members of this subnet have no reward, or the configuration lacks its uptime_requirement.",
  no_requirement:
    "Unknown: the uptime requirement or the period of its stake is unknown to the nodes that observe it. The schedule of upgrades (info.upgrades) decides whether 80 % or 90 % is required.",
  no_observer: "Unknown: the network was not observed yet. No polled node has reported the uptime of this validator.",
  silent_peers:
    "Unknown: no other polled node observes it, and less than half of all stake has reported its uptime to the node itself. A node that restarted needs some minutes.",
};

/** Why the reward of a stake is safe, at risk, lost or unknown. */
function stakeReasons(stake: StakeView, title: string): readonly string[] {
  const { left, reward } = stake;
  if (left !== undefined) return [afterLeaving(stake, title)];
  const unjudged = UNJUDGED[reward.reason];
  return unjudged === undefined ? [budgetText(stake, title), uptimeText(stake), ...remarksOf(stake)] : [unjudged];
}

function budgetText({ budget = 0, attainable, requirement, end }: StakeView, title: string): string {
  if (budget >= 0) {
    const until = end === undefined ? "" : ` until its period ends on ${instant(end)}`;
    return `${title} has ${span(budget)} of downtime left${until}. With more, its reward is lost.`;
  }
  const best =
    attainable === undefined || requirement === undefined
      ? ""
      : `: without further downtime it ends with ${percent(attainable)} of the required ${percent(requirement)}`;
  return `${title} exceeded its downtime budget by ${span(-budget)}${best}.`;
}

function uptimeText({ uptime, requirement, observers }: StakeView): string {
  if (uptime === undefined) return "";
  const counted = observers.filter((observer) => observer.uptime !== undefined);
  const required = requirement === undefined ? "" : `; ${percent(requirement)} is required`;
  return `Its uptime is ${percent(uptime)} (median of ${count(counted.length, "observer")})${required}.`;
}

/** What qualifies the verdict. */
function remarksOf(stake: StakeView): readonly string[] {
  const { margin, budget = 0, tolerance, observers, reward } = stake;
  const remarks: string[] = [];
  if (reward.reason === "rewarding_stake")
    remarks.push(
      "Too little stake observed enough uptime of the node: the vote about the reward can fail, although the polled nodes observe enough.",
    );
  const seen = observers.flatMap(({ connected }) => (connected === undefined ? [] : [connected]));
  const away = seen.filter((connected) => !connected).length;
  if (away > 0 && away * 2 >= seen.length)
    remarks.push(`It is offline now for ${away} of ${count(seen.length, "observer")}: its downtime budget shrinks.`);
  if (margin !== undefined && margin < 0 && budget >= 0)
    remarks.push("Its uptime is below the requirement now: without more time online the reward is lost.");
  else if (margin !== undefined && margin >= 0 && margin < NEAR_REQUIREMENT_RATIO)
    remarks.push("Its uptime is close to the requirement.");
  if (disagreeing(stake))
    remarks.push("The observers disagree about the reward: the vote depends on the stake behind each view.");
  if (tolerance !== undefined)
    remarks.push(
      `Only the peers of its own node are known. They report whole percents: the downtime left is up to ${span(tolerance)} more or less.`,
    );
  return remarks;
}

function afterLeaving({ subnet, left, reward }: StakeView, title: string): string {
  const when = left?.at === undefined ? "" : ` on ${instant(left.at)}`;
  if (reward.reason === "left_early")
    return `${title} left the validator set${when}, before its announced end. It was removed, or its record was replaced.`;
  const outcome = OUTCOMES[reward.reason] ?? (subnet === "primary" ? OUTCOME_UNKNOWN : "");
  return `Its staking period ended${when}.${outcome}`;
}

const OUTCOMES: Partial<Record<VerdictReason, string>> = {
  paid: " The Data API reports that it was rewarded.",
  denied: " The Data API reports that its reward was denied.",
};
const OUTCOME_UNKNOWN =
  " Whether it was rewarded is unknown here: look up the node ID in an explorer, or configure data_api.";

function withoutStake(view: ValidatorView): string {
  const { reward, network } = view;
  const title = titleOf(view);
  switch (reward.reason) {
    case "no_node_id":
      return `Unknown: ${title} has not answered yet, so its node ID is unknown. Set node_id in the configuration to watch it while it is down.`;
    case "only_l1":
      return `${title} validates only L1s, which pay no reward.`;
    case "not_a_validator":
    case "not_in_set":
      return `${title} is not in the validator set of the Primary Network of ${network ?? "its network"}.`;
    default:
      return `Unknown: the network was not observed yet. No usable node has reported the validator set${network === undefined ? "" : ` of ${network}`}.`;
  }
}

/** `1,569,545.63`. */
export function amount(value: number): string {
  return grouped(Number(value.toFixed(2)));
}

/** `1,569,545.63 AVAX`. */
export function avax(value: number): string {
  return `${amount(value)} AVAX`;
}

/** `2026-11-23 13:09 UTC`. @param time Unix seconds */
export function instant(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? "unknown" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
