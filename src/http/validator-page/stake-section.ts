import type { OwnNode } from "../../diagnosis/validator/observers.ts";
import type { StakeView } from "../../diagnosis/validator/stakes.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import { span } from "../../config/base/age.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { type Entry, factList, momentOf, pill, timeOf } from "./page.ts";
import { amount, avax, percent } from "./words.ts";

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
    ...(stake.expectedFees === undefined
      ? []
      : [["Fees expected, by the Data API", avax(stake.expectedFees)] as const]),
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
  return [["Ends", momentOf(end, at)], ...renewalOf(nextPeriod)];
}

function renewalOf(nextPeriod: number | undefined): readonly Entry[] {
  if (nextPeriod === undefined) return [];
  return [["Then", nextPeriod > 0 ? `renews for ${span(nextPeriod)}` : "leaves the set, does not renew"]];
}

function delegations({ delegated, delegators }: StakeView): string | undefined {
  const stake = avax(delegated);
  if (stake === undefined || delegators === undefined) return stake;
  return `${stake} by ${count(delegators, "delegator")}`;
}

/** Is the validator ready for the next upgrade? */
export function renderUpgrade({ upgrade, nodes, at }: ValidatorView): Html {
  const { time, name, readyStake } = upgrade;
  const isAhead = time !== undefined && time > at;
  const title = name === undefined ? "" : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const entries: readonly Entry[] = [
    [
      time === undefined || isAhead ? "Next upgrade" : "Last upgrade",
      time === undefined ? undefined : safe`${title} ${momentOf(time, at)}`,
    ],
    ...(isAhead ? [["Stake that is ready", readyStake === undefined ? undefined : percent(readyStake)] as const] : []),
    ...nodes.map((node): Entry => [nodes.length > 1 ? `Ready: ${node.node}` : "This node", readiness(node, at)]),
    ...nodes.map((node): Entry => [nodes.length > 1 ? `Version: ${node.node}` : "Version", node.version]),
  ];
  return safe`<section aria-labelledby="upgrade">
    <h2 id="upgrade">Is it ready for the next upgrade?</h2>
    ${factList(entries)}
    ${time === undefined ? safe`<p class="quiet">No announced upgrade is known: the network was not observed yet, or it has no date.</p>` : NOTHING}
    ${nodes.length === 0 ? safe`<p class="quiet">Its own readiness is unknown: the node is not polled.</p>` : NOTHING}
  </section>`;
}

function readiness({ upgradeReady, forksOffAt }: OwnNode, at: number): Html | undefined {
  if (upgradeReady === undefined) return undefined;
  if (upgradeReady) return pill("safe", "ready");
  const when =
    forksOffAt === undefined
      ? ""
      : forksOffAt > at
        ? `forks off in ${span(forksOffAt - at)}`
        : `forked off ${span(at - forksOffAt)} ago`;
  return safe`${pill("lost", "not ready")} ${when}`;
}
