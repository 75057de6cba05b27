import { PRIMARY } from "../../api/node/platform.ts";
import { rewardStateOf, scarceDowntime } from "../../topics/validators/reward-state.ts";
import { budgetAfterOutage, isRewarded } from "../../topics/validators/verdict.ts";
import { labelOf } from "../samples.ts";
import { flagOf, rowsOf, valueOf, valuesOf, type Facts } from "./facts.ts";
import { observersOf, toleranceOf, type Subject } from "./observers.ts";
import { rewardOf } from "./reward.ts";

/** Maximum of listed validations: a node ID can have any number of them. */
const MOST_VALIDATIONS = 50;

/** The memberships of a validator in the Primary Network and in subnets that are no L1s; Primary Network first. */
export function stakesOf(facts: Facts, subject: Subject): readonly StakeView[] {
  const { network, nodeId } = subject;
  const about = { network };
  const members = new Map([
    // Observers can answer before the poll of the whole set.
    ...rowsOf(facts.observed.budget, nodeId, about).map((row) => [labelOf(row, "subnet") ?? "", 1] as const),
    ...rowsOf(facts.validator.inSet, nodeId, about).map((row) => [labelOf(row, "subnet") ?? "", row.value] as const),
  ]);
  const validations = new Set(rowsOf(facts.l1.weight, nodeId, about).map((row) => labelOf(row, "subnet")));
  return [...members]
    .filter(([subnet, isMember]) => isMember === 0 || !validations.has(subnet))
    .map(([subnet, isMember]) => stakeOf(facts, subject, subnet, isMember === 1))
    .sort((a, b) => Number(b.subnet === PRIMARY) - Number(a.subnet === PRIMARY));
}

/** A membership in the Primary Network or in a permissioned or elastic subnet. Unknown is `undefined`. */
export type StakeView = Readonly<ReturnType<typeof stakeOf>>;

function stakeOf(facts: Facts, subject: Subject, subnet: string, isMember: boolean) {
  const { network, nodeId } = subject;
  const about = { network, subnet };
  const { leftAt, leftEarly, rewardAddressMatches, expectedRewards } = facts.validator;
  // What the observers last answered about a validator that left is no longer true.
  const observers = isMember ? observersOf(facts, facts.observed, subject, { subnet }) : [];
  const figures = valuesOf(facts.stake, nodeId, about);
  const { scarce, shortfall, ...verdict } = valuesOf(facts.verdict, isMember ? nodeId : "", about);
  const stake = {
    subnet,
    /** Configured name of the subnet. */
    subnetName: subnetName(facts, network, subnet),
    /** `undefined` while it is in the set. */
    left: isMember
      ? undefined
      : { at: valueOf(leftAt, nodeId, about), early: flagOf(valueOf(leftEarly, nodeId, about)) },
    ...figures,
    /** Commission on the present delegations, as the Data API reports it. */
    expectedFees: subnet === PRIMARY ? valueOf(expectedRewards, nodeId, { network, kind: "delegation" }) : undefined,
    rewardAddressMatches: flagOf(valueOf(rewardAddressMatches, nodeId, about)),
    ...verdict,
    /** A reward is at risk with less downtime left than this, and than half of the whole budget. */
    atRiskBelow: facts.atRiskBelow,
    /** Error of the budget where only the node's own peers are known, who report whole percents. */
    tolerance: figures.start === undefined ? undefined : toleranceOf(facts, observers, figures.start),
    /** Lowest budget first. */
    observers,
  };
  return { ...stake, reward: rewardOf(facts, subject, { ...stake, scarce, shortfall }) };
}

/** The configured name of a subnet; `undefined` where it is its ID. */
function subnetName(facts: Facts, network: string | undefined, subnet: string): string | undefined {
  const [row] = rowsOf(facts.network.subnet, network, { subnet });
  const name = labelOf(row, "name");
  return name === subnet ? undefined : name;
}

/** The validations of a node ID on L1s, the one whose balance ends first at the top. */
export function l1ViewsOf(facts: Facts, subject: Subject) {
  const { network, nodeId } = subject;
  return rowsOf(facts.l1.weight, nodeId, { network })
    .slice(0, MOST_VALIDATIONS)
    .map((row) => {
      const validation = {
        subnet: labelOf(row, "subnet") ?? "",
        validation_id: labelOf(row, "validation_id") ?? "",
      };
      const { active, balance, runway, start } = valuesOf(facts.l1, nodeId, { network, ...validation });
      return {
        subnet: validation.subnet,
        subnetName: subnetName(facts, network, validation.subnet) ?? (labelOf(row, "subnet_name") || undefined),
        validationId: validation.validation_id,
        active: flagOf(active),
        balance,
        runway,
        weight: row.value,
        start,
        /** By the L1's own chain. */
        observers: observersOf(facts, facts.l1, subject, validation),
      };
    })
    .sort((a, b) => (a.runway ?? Infinity) - (b.runway ?? Infinity) || 0);
}

/** A validation of an L1. */
export type L1View = ReturnType<typeof l1ViewsOf>[number];

/** The answer for one outage. */
export type OutageAnswer = ReturnType<typeof outageOf>;

/** Whether a stake is still rewarded after an outage that begins now. Durations in seconds. */
export function outageOf(
  {
    budget,
    wholeBudget,
    end,
    observers,
    atRiskBelow,
  }: Pick<StakeView, "budget" | "wholeBudget" | "end" | "observers" | "atRiskBelow">,
  from: number,
  seconds: number,
) {
  // Without a known end the whole outage counts.
  const outage = { from, seconds, end: end ?? Infinity };
  const budgets = observers.flatMap((each) => (each.budget === undefined ? [] : [each.budget]));
  const left = budget === undefined ? undefined : budgetAfterOutage(budget, outage);
  return {
    seconds,
    /** By the median of the observers; `undefined` while the downtime budget is unknown. */
    paid: left === undefined ? undefined : isRewarded(left),
    state:
      left === undefined
        ? undefined
        : rewardStateOf({ left, scarce: scarceDowntime(left, wholeBudget), shortfall: 0 }, atRiskBelow),
    /** Downtime budget after the outage. */
    left,
    /** Whether the staking period ends before the outage. */
    untilEnd: from + seconds > outage.end,
    /** Observers whose own figure says "paid", of those with a figure. */
    observersPaid: budgets.filter((each) => isRewarded(budgetAfterOutage(each, outage))).length,
    observers: budgets.length,
  };
}

/** Whether some observers would pay a stake and others would not. */
export function disagreeing({ observers }: Pick<StakeView, "observers">): boolean {
  const votes = new Set(observers.flatMap(({ budget }) => (budget === undefined ? [] : [isRewarded(budget)])));
  return votes.size > 1;
}
