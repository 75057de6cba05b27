import type { StakeView } from "../../diagnosis/validator/validator-view.ts";
import { span } from "../status-page/age.ts";
import { safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { factList, timeOf, type Entry } from "./page.ts";
import { amount, percent } from "./words.ts";

/** When does the stake end, and how large are stake, delegations and reward? */
export function renderStake(stake: StakeView, at: number): Html {
  const { own, weight, subnet, subnetName } = stake;
  const name = subnet === "primary" ? "" : ` in ${subnetName ?? subnet}`;
  const primary: readonly Entry[] = [
    ["Stake", avax(own)],
    ["Delegated", delegations(stake)],
    ["Can still be delegated", avax(stake.capacity)],
    ["Delegation fee", stake.fee === undefined ? undefined : percent(stake.fee)],
    ["Potential reward", avax(stake.potentialReward)],
    ["Delegation fees earned", avax(stake.accruedFees)],
  ];
  return safe`<section aria-labelledby="stake">
    <h2 id="stake">When does the stake end${name}?</h2>
    ${factList([
      ...endOf(stake, at),
      ["Began", stake.start === undefined ? undefined : timeOf(stake.start)],
      ...(weight === undefined ? primary : [["Weight", amount(weight)] as const]),
      ...(stake.rewardAddressMatches === undefined
        ? []
        : [["Reward address", stake.rewardAddressMatches ? "as configured" : "not a configured one"] as const]),
    ])}
  </section>`;
}

function endOf({ end, left, nextPeriod }: StakeView, at: number): readonly Entry[] {
  if (left !== undefined) return [["Left the set", left.at === undefined ? undefined : timeOf(left.at)]];
  if (end === undefined) return [["Ends", undefined]];
  const distance = end > at ? `in ${span(end - at)}` : `${span(at - end)} ago`;
  return [["Ends", safe`${timeOf(end)} <span class="distance">${distance}</span>`], ...renewalOf(nextPeriod)];
}

function renewalOf(nextPeriod: number | undefined): readonly Entry[] {
  if (nextPeriod === undefined) return [];
  return [["Then", nextPeriod > 0 ? `renews for ${span(nextPeriod)}` : "leaves the set, does not renew"]];
}

function avax(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${amount(value)} AVAX`;
}

function delegations({ delegated, delegators }: StakeView): string | undefined {
  const stake = avax(delegated);
  if (stake === undefined || delegators === undefined) return stake;
  return `${stake} by ${count(delegators, "delegator")}`;
}
