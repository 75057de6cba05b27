import { PRIMARY } from "../../api/node/platform.ts";
import { flagOf, labelOf, type Facts } from "./facts.ts";
import { l1ObserversOf, type Subject } from "./observers.ts";
import { rewardOf } from "./reward.ts";
import { stakeFactsOf, subnetName, type StakeFacts } from "./stake-facts.ts";
import type { Verdict } from "./validator-view.ts";

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

/** A membership in the Primary Network or in a permissioned or elastic subnet. */
export type StakeView = StakeFacts & { readonly reward: Verdict };

function stakeOf(
  facts: Facts,
  subject: Subject,
  subnet: string,
  isMember: boolean,
  ownNodes: ReadonlySet<string>,
): StakeView {
  const stake = stakeFactsOf(facts, subject, subnet, isMember, ownNodes);
  return { ...stake, reward: rewardOf(facts, subject, stake, ownNodes) };
}

/** The validations of a node ID on L1s, the one whose balance ends first at the top. */
export function l1ViewsOf(facts: Facts, subject: Subject, ownNodes: ReadonlySet<string>) {
  const { network, nodeId } = subject;
  return facts
    .rows("l1Weight", nodeId, { network })
    .slice(0, MOST_VALIDATIONS)
    .map((row) => {
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
        /** By the L1's own chain. */
        observers: l1ObserversOf(facts, subject, validation, ownNodes),
      };
    })
    .sort((a, b) => (a.runway ?? Infinity) - (b.runway ?? Infinity) || 0);
}

/** A validation of an L1. */
export type L1View = ReturnType<typeof l1ViewsOf>[number];
