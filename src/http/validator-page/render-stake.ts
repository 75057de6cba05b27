import type { Delegations, OwnNode } from "../../diagnosis/validator/observers-of.ts";
import type { StakeView } from "../../diagnosis/validator/stake-view.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import { span } from "../../config/base/durations.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { factList, known, momentOf, note, pill, sectionOf, timeOf, type PageEntry } from "./page-parts.ts";
import { percent } from "../../config/base/figures.ts";
import { amount, avax } from "./answer-texts.ts";

/** When does the stake end, and how large are stake, delegations and reward? */
export function renderStake(stake: StakeView, at: number): Html {
  const { delegated, delegators, weight, subnet, subnetName } = stake;
  const by = known(delegators, (all) => ` by ${count(all, "delegator")}`) ?? "";
  const primary: ReadonlyArray<PageEntry | undefined> = [
    ["Stake", known(stake.own, avax)],
    ["Delegated", known(delegated, (all) => `${avax(all)}${by}`)],
    ["Can still be delegated", known(stake.capacity, avax)],
    ["Delegation fee", known(stake.fee, percent)],
    ["Potential reward", known(stake.potentialReward, avax)],
    ["Delegation fees earned", known(stake.accruedFees, avax)],
    known(stake.expectedFees, (fees): PageEntry => ["Fees expected, by the Data API", avax(fees)]),
  ];
  const facts = factList([
    ...endOf(stake, at),
    ["Began", known(stake.start, timeOf)],
    ...(weight === undefined ? primary : [["Weight", amount(weight)] as const]),
    known(stake.rewardAddressMatches, (is): PageEntry => [
      "Reward address",
      is ? "as configured" : "not a configured one",
    ]),
  ]);
  const name = subnet === "primary" ? "" : ` in ${subnetName ?? subnet}`;
  return sectionOf("stake", `When does the stake end${name}?`, [facts]);
}

function endOf({ end, left, nextPeriod }: StakeView, at: number): ReadonlyArray<PageEntry | undefined> {
  if (left !== undefined) return [["Left the set", known(left.at, timeOf)]];
  if (end === undefined) return [["Ends", undefined]];
  const renews = (period: number) => (period > 0 ? `renews for ${span(period)}` : "leaves the set, does not renew");
  return [["Ends", momentOf(end, at)], known(nextPeriod, (period): PageEntry => ["Then", renews(period)])];
}

/** Is the validator ready for the next upgrade? */
export function renderUpgrade({ upgrade, nodes, at }: ValidatorView): Html {
  const { time, name = "", readyStake } = upgrade;
  const isAhead = time !== undefined && time > at;
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return sectionOf("upgrade", "Is it ready for the next upgrade?", [
    factList([
      [
        time === undefined || isAhead ? "Next upgrade" : "Last upgrade",
        known(time, (some) => safe`${title} ${momentOf(some, at)}`),
      ],
      isAhead ? ["Stake that is ready", known(readyStake, percent)] : undefined,
      ...nodes.map((node): PageEntry => [`Ready: ${node.node}`, readiness(node, at)]),
      ...nodes.map((node): PageEntry => [`Version: ${node.node}`, node.version]),
    ]),
    time === undefined
      ? note("No announced upgrade is known: the network was not observed yet, or it has no date.")
      : NOTHING,
  ]);
}

function readiness({ upgradeReady, forksOffAt }: OwnNode, at: number): Html | undefined {
  if (upgradeReady === undefined) return undefined;
  if (upgradeReady) return pill("safe", "ready");
  const when = known(forksOffAt, (time) =>
    time > at ? `forks off in ${span(time - at)}` : `forked off ${span(at - time)} ago`,
  );
  return safe`${pill("lost", "not ready")} ${when ?? ""}`;
}

/** When do the delegations end, and which are not rewarded? Only where the validator's own node lists some. */
export function renderDelegations({ at, nodes }: Pick<ValidatorView, "at" | "nodes">): Html {
  const listed = nodes.find(({ delegations }) => delegations !== undefined)?.delegations;
  if (listed === undefined || listed.all === 0) return NOTHING;
  const { all, rewards, within7d, within30d, within90d, commission, large, unrewarded, recovery } = listed;
  const facts = factList([
    ["Within 7 / 30 / 90 days", safe`${[within7d, within30d, within90d].map(amount).join(" / ")} AVAX`],
    large === undefined || large.end <= at
      ? undefined
      : ["Next large one", safe`${percent(large.share)} of the weight, ${momentOf(large.end, at)}`],
    ["Commission, if all are rewarded", known(commission, avax)],
    [
      "Not rewarded at this uptime",
      known(unrewarded, () => (recovery === undefined ? "none" : safe`${atStake(all, rewards)}`)),
    ],
  ]);
  return sectionOf("delegations", "When do the delegations end?", [facts, whenJudged(listed, at)]);
}

function atStake(stake: number, reward: number | undefined): string {
  return `${avax(stake)}${known(reward, (some) => ` with ${avax(some)} of rewards`) ?? ""}`;
}

/** Which of them are judged before the uptime can recover. */
function whenJudged({ unrewarded, unrewardedReward, recovery }: Delegations, at: number): Html {
  if (unrewarded === undefined || recovery === undefined) return NOTHING;
  return safe`<p class="quiet">Each is judged at its own end. Lost are those that end before ${momentOf(recovery, at)}, when the uptime can suffice: ${unrewarded === 0 ? "none" : atStake(unrewarded, unrewardedReward)}.</p>`;
}
