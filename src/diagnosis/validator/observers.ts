import { PRIMARY } from "../../api/node/platform.ts";
import { within } from "../../topics/validators/delegations.ts";
import { middleOf, uptimeError } from "../../topics/validators/observation.ts";
import { labelOf, type Sample } from "../promql/sample.ts";
import { flagOf, rowsOf, valueOf, valuesOf, type Facts } from "./facts.ts";
import type { Observer } from "./validator-view.ts";

/** The network and node ID that series are about, and the polled nodes with this ID. */
export type Subject = {
  readonly network: string | undefined;
  readonly nodeId: string;
  readonly ownNodes: ReadonlySet<string>;
};

/** Maximum of listed observers: a configured watch list is observed by every node. */
const MOST_OBSERVERS = 100;

/** The polled nodes that observe a staker, lowest downtime budget first, then lowest uptime. */
export function observersOf(facts: Facts, { network, nodeId, ownNodes }: Subject, subnet: string): readonly Observer[] {
  const about = { network, subnet };
  const budgets = byNode(rowsOf(facts.observed.budget, nodeId, about));
  const uptimes = byNode(rowsOf(facts.observed.uptime, nodeId, about));
  const connections = byNode(rowsOf(facts.observed.connected, nodeId, about));
  return [...new Set([...budgets.keys(), ...uptimes.keys(), ...connections.keys()])]
    .map((node): Observer => {
      const budget = budgets.get(node);
      if (ownNodes.has(node))
        return { node, isSelf: true, uptime: uptimeByPeers(facts, node, subnet), connected: undefined, budget };
      const connected = flagOf(connections.get(node));
      return { node, isSelf: false, uptime: uptimes.get(node), connected, budget };
    })
    .filter(({ isSelf, uptime, budget }) => !isSelf || uptime !== undefined || budget !== undefined)
    .sort((a, b) => lowest(a.budget, b.budget) || lowest(a.uptime, b.uptime))
    .slice(0, MOST_OBSERVERS);
}

/** The uptime that the peers of the validator's own node observe. */
function uptimeByPeers(facts: Facts, node: string, subnet: string): number | undefined {
  const median = subnet === PRIMARY ? valueOf(facts.own.median, node) : undefined;
  return median === undefined ? undefined : middleOf(median);
}

/** The error in seconds of a downtime budget that is known from the peers of the validator's own node alone. */
export function toleranceOf(facts: Facts, observers: readonly Observer[], start: number): number | undefined {
  const counted = observers.filter(({ budget }) => budget !== undefined);
  const [self] = counted;
  if (self === undefined || counted.some(({ isSelf }) => !isSelf)) return undefined;
  const median = valueOf(facts.own.median, self.node);
  return median === undefined ? undefined : uptimeError(median) * Math.max(0, facts.at - start) || undefined;
}

/** The observers of an L1 validation, by the L1's own chain. */
export function l1ObserversOf(
  facts: Facts,
  { network, nodeId, ownNodes }: Subject,
  validation: { readonly subnet: string; readonly validation_id: string },
) {
  const about = { network, ...validation };
  const uptimes = byNode(rowsOf(facts.l1.uptime, nodeId, about));
  const connections = byNode(rowsOf(facts.l1.connected, nodeId, about));
  return [...new Set([...uptimes.keys(), ...connections.keys()])]
    .filter((node) => !ownNodes.has(node))
    .map((node) => ({
      node,
      isSelf: false,
      uptime: uptimes.get(node),
      connected: flagOf(connections.get(node)),
    }))
    .sort((a, b) => lowest(a.uptime, b.uptime))
    .slice(0, MOST_OBSERVERS);
}

/** A polled node of the validator, and what it reports about itself. */
export type OwnNode = Readonly<ReturnType<typeof ownNodeOf>>;

export function ownNodeOf(facts: Facts, node: string) {
  const { up, healthy, validates, upgradeReady, identity } = facts.node;
  const [about] = rowsOf(identity, node);
  return {
    node,
    up: flagOf(valueOf(up, node)),
    healthy: flagOf(valueOf(healthy, node)),
    validates: flagOf(valueOf(validates, node)),
    version: labelOf(about, "version"),
    upgradeReady: flagOf(valueOf(upgradeReady, node)),
    ...valuesOf(facts.own, node),
    /** `undefined` while the node has not listed them. */
    delegations: delegationsOf(facts, node),
  };
}

/** The delegations to the node's validator. */
export type Delegations = NonNullable<ReturnType<typeof delegationsOf>>;

function delegationsOf(facts: Facts, node: string) {
  const { ending, largeEnd, largeShare } = facts.delegated;
  const rows = rowsOf(ending, node);
  if (rows.length === 0) return undefined;
  const sum = (some: readonly Sample[]) => some.reduce((all, { value }) => all + value, 0);
  const leaving = (days: 7 | 30 | 90) => {
    const ranges: readonly unknown[] = within(days);
    return sum(rows.filter((row) => ranges.includes(labelOf(row, "remaining"))));
  };
  const [end, share] = [valueOf(largeEnd, node), valueOf(largeShare, node)];
  return {
    all: sum(rows),
    within7d: leaving(7),
    within30d: leaving(30),
    within90d: leaving(90),
    ...valuesOf(facts.delegations, node),
    /** The next large one to end. */
    large: end === undefined || share === undefined ? undefined : { end, share },
  };
}

function byNode(rows: readonly Sample[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => [labelOf(row, "node") ?? "", row.value]));
}

/** Orders numbers; unknown ones come last. */
function lowest(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
