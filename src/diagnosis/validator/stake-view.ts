import { PRIMARY } from "../../api/node/platform.ts";
import { rewardStateOf, scarceDowntime, type RewardState } from "../../topics/validators/reward-state.ts";
import { budgetAfterOutage, isRewarded } from "../../topics/validators/staking-period.ts";
import { labelOf } from "../samples.ts";
import { flagOf, rowsOf, valueOf, valuesOf, type ValidatorFacts, type Values } from "./validator-facts.ts";
import { observersOf, toleranceOf, type Observer, type Subject } from "./observers-of.ts";
import { rewardOf, type RewardVerdict } from "./reward-verdict.ts";

/** Maximum of listed validations: a node ID can have any number of them. */
const MOST_VALIDATIONS = 50;

/** The memberships of a validator in the Primary Network and in subnets that are no L1s; Primary Network first. */
export function stakesOf(facts: ValidatorFacts, subject: Subject): readonly StakeView[] {
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
export type StakeView = Values<"stake"> &
  Omit<Values<"verdict">, "scarce" | "shortfall"> & {
    readonly subnet: string;
    /** Configured name of the subnet. */
    readonly subnetName: string | undefined;
    /** `undefined` while it is in the set. */
    readonly left: { readonly at: number | undefined; readonly early: boolean | undefined } | undefined;
    /** Commission on the present delegations, as the Data API reports it. */
    readonly expectedFees: number | undefined;
    readonly rewardAddressMatches: boolean | undefined;
    /** A reward is at risk with less downtime left than this, and than half of the whole budget. */
    readonly atRiskBelow: number;
    /** Error of the budget where only the node's own peers are known, who report whole percents. */
    readonly tolerance: number | undefined;
    /** Lowest budget first. */
    readonly observers: readonly Observer[];
    readonly reward: RewardVerdict;
  };

function stakeOf(facts: ValidatorFacts, subject: Subject, subnet: string, isMember: boolean): StakeView {
  const { network, nodeId } = subject;
  const about = { network, subnet };
  const { leftAt, leftEarly, rewardAddressMatches, expectedRewards } = facts.validator;
  // What the observers last answered about a validator that left is no longer true.
  const observers = isMember ? observersOf(facts, facts.observed, subject, { subnet }) : [];
  const figures = valuesOf(facts.stake, nodeId, about);
  const { scarce, shortfall, ...verdict } = valuesOf(facts.verdict, isMember ? nodeId : "", about);
  const stake = {
    subnet,
    subnetName: subnetName(facts, network, subnet),
    left: isMember
      ? undefined
      : { at: valueOf(leftAt, nodeId, about), early: flagOf(valueOf(leftEarly, nodeId, about)) },
    ...figures,
    expectedFees: subnet === PRIMARY ? valueOf(expectedRewards, nodeId, { network, kind: "delegation" }) : undefined,
    rewardAddressMatches: flagOf(valueOf(rewardAddressMatches, nodeId, about)),
    ...verdict,
    atRiskBelow: facts.atRiskBelow,
    tolerance: figures.start === undefined ? undefined : toleranceOf(facts, observers, figures.start),
    observers,
  };
  return { ...stake, reward: rewardOf(facts, subject, { ...stake, scarce, shortfall }) };
}

/** The configured name of a subnet; `undefined` where it is its ID. */
function subnetName(facts: ValidatorFacts, network: string | undefined, subnet: string): string | undefined {
  const [row] = rowsOf(facts.network.subnet, network, { subnet });
  const name = labelOf(row, "name");
  return name === subnet ? undefined : name;
}

/** A validation of an L1. */
export type L1View = Pick<StakeView, "subnet" | "subnetName"> &
  Pick<Values<"l1">, "balance" | "runway" | "start"> & {
    readonly validationId: string;
    readonly active: boolean | undefined;
    readonly weight: number;
    /** By the L1's own chain. */
    readonly observers: readonly Observer[];
  };

/** The validations of a node ID on L1s, the one whose balance ends first at the top. */
export function l1ViewsOf(facts: ValidatorFacts, subject: Subject): readonly L1View[] {
  const { network, nodeId } = subject;
  return rowsOf(facts.l1.weight, nodeId, { network })
    .slice(0, MOST_VALIDATIONS)
    .map((row) => {
      const validation = { subnet: labelOf(row, "subnet") ?? "", validation_id: labelOf(row, "validation_id") ?? "" };
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
        observers: observersOf(facts, facts.l1, subject, validation),
      };
    })
    .sort((a, b) => (a.runway ?? Infinity) - (b.runway ?? Infinity) || 0);
}

/** The answer for one outage. */
export type OutageAnswer = {
  readonly seconds: number;
  /** By the median of the observers; `undefined` while the downtime budget is unknown. */
  readonly paid: boolean | undefined;
  readonly state: RewardState | undefined;
  /** Downtime budget after the outage. */
  readonly left: number | undefined;
  /** Whether the staking period ends before the outage. */
  readonly untilEnd: boolean;
  /** Observers whose own figure says "paid", of those with a figure. */
  readonly observersPaid: number;
  readonly observers: number;
};

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
): OutageAnswer {
  // Without a known end the whole outage counts.
  const outage = { from, seconds, end: end ?? Infinity };
  const budgets = observers.flatMap((observer) => (observer.budget === undefined ? [] : [observer.budget]));
  const left = budget === undefined ? undefined : budgetAfterOutage(budget, outage);
  return {
    seconds,
    paid: left === undefined ? undefined : isRewarded(left),
    state:
      left === undefined
        ? undefined
        : rewardStateOf({ left, scarce: scarceDowntime(left, wholeBudget), shortfall: 0 }, atRiskBelow),
    left,
    untilEnd: from + seconds > outage.end,
    observersPaid: budgets.filter((each) => isRewarded(budgetAfterOutage(each, outage))).length,
    observers: budgets.length,
  };
}

/** Whether some observers would pay a stake and others would not. */
export function disagreeing({ observers }: Pick<StakeView, "observers">): boolean {
  const votes = new Set(observers.flatMap(({ budget }) => (budget === undefined ? [] : [isRewarded(budget)])));
  return votes.size > 1;
}
