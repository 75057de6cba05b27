import { PRIMARY } from "../../api/node/platform.ts";
import { quantile } from "../promql/aggregate.ts";
import { flagOf, labelOf, type Facts } from "./facts.ts";
import { l1ObserversOf, observersOf, toleranceOf, type Subject } from "./observers.ts";
import { rewardOf } from "./reward.ts";
import type { L1View, Observer, StakeView } from "./validator-view.ts";

/** Maximum of listed validations: a node ID can have any number of them. */
const MOST_VALIDATIONS = 50;

/** The memberships of a validator in the Primary Network and in subnets that are no L1s; Primary Network first. */
export function stakesOf(facts: Facts, subject: Subject, ownNodes: ReadonlySet<string>): readonly StakeView[] {
  const { network, nodeId } = subject;
  const about = { network };
  const inSet = facts.rows("inSet", nodeId, about).map((row) => [labelOf(row, "subnet") ?? "", row.value] as const);
  const members = new Map([
    // Observers can answer before the poll of the whole set.
    ...facts.rows("observedBudget", nodeId, about).map((row) => [labelOf(row, "subnet") ?? "", 1] as const),
    ...inSet,
  ]);
  const validations = new Set(facts.rows("l1Weight", nodeId, about).map((row) => labelOf(row, "subnet")));
  return [...members]
    .filter(([subnet, isMember]) => isMember === 0 || !validations.has(subnet))
    .map(([subnet, isMember]) => stakeOf(facts, subject, subnet, isMember === 1, ownNodes))
    .sort((a, b) => Number(b.subnet === PRIMARY) - Number(a.subnet === PRIMARY));
}

function stakeOf(
  facts: Facts,
  subject: Subject,
  subnet: string,
  isMember: boolean,
  ownNodes: ReadonlySet<string>,
): StakeView {
  const { network, nodeId } = subject;
  const value = (fact: Parameters<Facts["value"]>[0]) => facts.value(fact, nodeId, { network, subnet });
  // What the observers last answered about a validator that left is no longer true.
  const observers = isMember ? observersOf(facts, subject, subnet, ownNodes) : [];
  const start = value("start");
  const stake = {
    subnet,
    subnetName: subnetName(facts, network, subnet),
    left: isMember ? undefined : { at: value("leftAt"), early: flagOf(value("leftEarly")) },
    start,
    end: value("end"),
    nextPeriod: value("nextPeriod"),
    own: value("own"),
    weight: value("weight"),
    delegated: value("delegated"),
    delegators: value("delegators"),
    capacity: value("capacity"),
    fee: value("fee"),
    potentialReward: value("potentialReward"),
    accruedFees: value("accruedFees"),
    rewardAddressMatches: flagOf(value("rewardAddressMatches")),
    requirement: value("requirement"),
    wholeBudget: value("wholeBudget"),
    uptime: medianUptime(observers),
    budget: isMember ? value("budget") : undefined,
    attainable: isMember ? value("attainable") : undefined,
    margin: isMember ? value("margin") : undefined,
    tolerance: start === undefined ? undefined : toleranceOf(facts, observers, start),
    observers,
  };
  return { ...stake, reward: rewardOf(facts, subject, stake, ownNodes) };
}

/** The median as the rules compute it. */
function medianUptime(observers: readonly Observer[]): number | undefined {
  const uptimes = observers.flatMap(({ uptime }) => (uptime === undefined ? [] : [uptime]));
  return uptimes.length === 0 ? undefined : Number(quantile(0.5, uptimes).toFixed(12));
}

/** The validations of a node ID on L1s, the one whose balance ends first at the top. */
export function l1ViewsOf(facts: Facts, subject: Subject, ownNodes: ReadonlySet<string>): readonly L1View[] {
  const { network, nodeId } = subject;
  return facts
    .rows("l1Weight", nodeId, { network })
    .slice(0, MOST_VALIDATIONS)
    .map((row): L1View => {
      const validation = {
        subnet: labelOf(row, "subnet") ?? "",
        validation_id: labelOf(row, "validation_id") ?? "",
      };
      const value = (fact: Parameters<Facts["value"]>[0]) => facts.value(fact, nodeId, { network, ...validation });
      return {
        subnet: validation.subnet,
        subnetName: subnetName(facts, network, validation.subnet),
        validationId: validation.validation_id,
        active: flagOf(value("l1Active")),
        balance: value("l1Balance"),
        runway: value("l1Runway"),
        weight: row.value,
        start: value("l1Start"),
        observers: l1ObserversOf(facts, subject, validation, ownNodes),
      };
    })
    .sort((a, b) => (a.runway ?? Infinity) - (b.runway ?? Infinity) || 0);
}

/** The configured name of a subnet; `undefined` where it is its ID. */
function subnetName(facts: Facts, network: string | undefined, subnet: string): string | undefined {
  const [row] = facts.rows("subnet", network, { subnet });
  const name = row === undefined ? undefined : labelOf(row, "name");
  return name === subnet ? undefined : name;
}
