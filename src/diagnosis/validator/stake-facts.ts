import { PRIMARY } from "../../api/node/platform.ts";
import { quantile } from "../promql/aggregate.ts";
import { flagOf, labelOf, type Facts } from "./facts.ts";
import { observersOf, toleranceOf, type Subject } from "./observers.ts";
import type { Observer } from "./validator-view.ts";

/** What is known about a membership, but for its verdict. Unknown is `undefined`. */
export type StakeFacts = Readonly<ReturnType<typeof stakeFactsOf>>;

export function stakeFactsOf(
  facts: Facts,
  subject: Subject,
  subnet: string,
  isMember: boolean,
  ownNodes: ReadonlySet<string>,
) {
  const { network, nodeId } = subject;
  const value = (fact: Parameters<Facts["value"]>[0]) => facts.value(fact, nodeId, { network, subnet });
  // What the observers last answered about a validator that left is no longer true.
  const observers = isMember ? observersOf(facts, subject, subnet, ownNodes) : [];
  const start = value("start");
  return {
    subnet,
    /** Configured name of the subnet. */
    subnetName: subnetName(facts, network, subnet),
    /** `undefined` while it is in the set. */
    left: isMember ? undefined : { at: value("leftAt"), early: flagOf(value("leftEarly")) },
    start,
    end: value("end"),
    /** Length of the next cycle of an auto-renewed validator; 0 when it leaves after this one. */
    nextPeriod: value("nextPeriod"),
    own: value("own"),
    /** In the unit of the subnet. */
    weight: value("weight"),
    delegated: value("delegated"),
    delegators: value("delegators"),
    capacity: value("capacity"),
    fee: value("fee"),
    potentialReward: value("potentialReward"),
    accruedFees: value("accruedFees"),
    /** Commission on the present delegations, as the Data API reports it. */
    expectedFees: subnet === PRIMARY ? facts.value("expectedFees", nodeId, { network }) : undefined,
    rewardAddressMatches: flagOf(value("rewardAddressMatches")),
    requirement: value("requirement"),
    wholeBudget: value("wholeBudget"),
    /** This and the following three: medians of the observers. */
    uptime: medianUptime(observers),
    budget: isMember ? value("budget") : undefined,
    attainable: isMember ? value("attainable") : undefined,
    margin: isMember ? value("margin") : undefined,
    /** Error of the budget where only the node's own peers are known, who report whole percents. */
    tolerance: start === undefined ? undefined : toleranceOf(facts, observers, start),
    /** Lowest budget first. */
    observers,
  };
}

/** The median as the rules compute it. */
function medianUptime(observers: readonly Observer[]): number | undefined {
  const uptimes = observers.flatMap(({ uptime }) => (uptime === undefined ? [] : [uptime]));
  return uptimes.length === 0 ? undefined : Number(quantile(0.5, uptimes).toFixed(12));
}

/** The configured name of a subnet; `undefined` where it is its ID. */
export function subnetName(facts: Facts, network: string | undefined, subnet: string): string | undefined {
  const [row] = facts.rows("subnet", network, { subnet });
  const name = row === undefined ? undefined : labelOf(row, "name");
  return name === subnet ? undefined : name;
}
