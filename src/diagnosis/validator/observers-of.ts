import { PRIMARY } from "../../api/node/platform.ts";
import { within } from "../../topics/validators/delegations.ts";
import { middleOf, uptimeError } from "../../topics/validators/observation.ts";
import { labelOf } from "../samples.ts";
import type { Reading } from "../../exposition/sample.ts";
import { flagOf, rowsOf, valueOf, valuesOf, type ValidatorFacts, type Table, type Values } from "./validator-facts.ts";

/** The network and node ID that series are about, and the polled nodes with this ID. */
export type Subject = {
  readonly network: string | undefined;
  readonly nodeId: string;
  readonly ownNodes: ReadonlySet<string>;
};

/** Maximum of listed observers: a configured watch list is observed by every node. */
const MOST_OBSERVERS = 100;

type Observations = { readonly uptime: Table; readonly connected: Table; readonly budget?: Table };

/** A polled node's view of the validator. The validator's own node reports what its peers observe. */
export type Observer = {
  readonly node: string;
  readonly isSelf: boolean;
  readonly uptime: number | undefined;
  readonly connected: boolean | undefined;
  readonly budget: number | undefined;
};

/**
 * The polled nodes that observe a staker, lowest downtime budget first, then lowest uptime. A validation of an L1 is observed by the
 * L1's own chain, without a budget.
 */
export function observersOf(
  facts: ValidatorFacts,
  { uptime, connected, budget }: Observations,
  { network, nodeId, ownNodes }: Subject,
  validation: { readonly subnet: string; readonly validation_id?: string },
): readonly Observer[] {
  const valuesOfNodes = (table: Table | undefined): ReadonlyMap<string, number> => {
    const rows = table === undefined ? [] : rowsOf(table, nodeId, { network, ...validation });
    return new Map(rows.map((row) => [labelOf(row, "node") ?? "", row.value]));
  };
  const [budgets, uptimes, connections] = [valuesOfNodes(budget), valuesOfNodes(uptime), valuesOfNodes(connected)];
  return [...new Set([...budgets.keys(), ...uptimes.keys(), ...connections.keys()])]
    .map((node) => {
      const isSelf = ownNodes.has(node);
      return {
        node,
        isSelf,
        uptime: isSelf ? uptimeByPeers(facts, node, validation.subnet) : uptimes.get(node),
        connected: isSelf ? undefined : flagOf(connections.get(node)),
        budget: budgets.get(node),
      };
    })
    .filter((each) => !each.isSelf || each.uptime !== undefined || each.budget !== undefined)
    .sort((a, b) => lowest(a.budget, b.budget) || lowest(a.uptime, b.uptime))
    .slice(0, MOST_OBSERVERS);
}

/** The uptime that the peers of the validator's own node observe. */
function uptimeByPeers(facts: ValidatorFacts, node: string, subnet: string): number | undefined {
  const median = subnet === PRIMARY ? valueOf(facts.own.median, node) : undefined;
  return median === undefined ? undefined : middleOf(median);
}

/** The error in seconds of a downtime budget that is known from the peers of the validator's own node alone. */
export function toleranceOf(facts: ValidatorFacts, observers: readonly Observer[], start: number): number | undefined {
  const counted = observers.filter(({ budget }) => budget !== undefined);
  const [self] = counted;
  if (self === undefined || counted.some(({ isSelf }) => !isSelf)) return undefined;
  const median = valueOf(facts.own.median, self.node);
  return median === undefined ? undefined : uptimeError(median) * Math.max(0, facts.at - start) || undefined;
}

/** A polled node of the validator, and what it reports about itself. */
export type OwnNode = Values<"own"> & {
  readonly node: string;
  readonly up: boolean | undefined;
  readonly healthy: boolean | undefined;
  readonly validates: boolean | undefined;
  readonly version: string | undefined;
  readonly upgradeReady: boolean | undefined;
  /** `undefined` while the node has not listed them. */
  readonly delegations: Delegations | undefined;
};

export function ownNodeOf(facts: ValidatorFacts, node: string): OwnNode {
  const own = valuesOf(facts.own, node);
  const { up, healthy, validates, upgradeReady, identity } = facts.node;
  const [about] = rowsOf(identity, node);
  return {
    node,
    up: flagOf(valueOf(up, node)),
    healthy: flagOf(valueOf(healthy, node)),
    validates: flagOf(valueOf(validates, node)),
    version: labelOf(about, "version"),
    upgradeReady: flagOf(valueOf(upgradeReady, node)),
    ...own,
    forksOffAt: own.forksOffAt === Infinity ? undefined : own.forksOffAt,
    delegations: delegationsOf(facts, node),
  };
}

/** The delegations to the node's validator, in AVAX. */
export type Delegations = Values<"delegations"> & {
  readonly all: number;
  readonly within7d: number;
  readonly within30d: number;
  readonly within90d: number;
  /** The next large one to end. */
  readonly large: { readonly end: number; readonly share: number } | undefined;
};

function delegationsOf(facts: ValidatorFacts, node: string): Delegations | undefined {
  const { ending, largeEnd, largeShare } = facts.delegated;
  const rows = rowsOf(ending, node);
  if (rows.length === 0) return undefined;
  const sum = (some: readonly Reading[]) => some.reduce((all, { value }) => all + value, 0);
  const leaving = (days: 7 | 30 | 90) =>
    sum(rows.filter((row) => within(days).includes(labelOf(row, "remaining") ?? "")));
  const [end, share] = [valueOf(largeEnd, node), valueOf(largeShare, node)];
  return {
    all: sum(rows),
    within7d: leaving(7),
    within30d: leaving(30),
    within90d: leaving(90),
    ...valuesOf(facts.delegations, node),
    large: end === undefined || share === undefined ? undefined : { end, share },
  };
}

/** Orders numbers; unknown ones come last. */
function lowest(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
