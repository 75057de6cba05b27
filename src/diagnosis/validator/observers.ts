import { PRIMARY } from "../../api/node/platform.ts";
import { within } from "../../topics/validators/delegations.ts";
import { middleOf, uptimeError } from "../../topics/validators/observation.ts";
import { flagOf, labelOf, type Facts, type Row } from "./facts.ts";
import type { Observer } from "./validator-view.ts";

/** The network and node ID that series are about. */
export type Subject = { readonly network: string | undefined; readonly nodeId: string };

/** Maximum of listed observers: a configured watch list is observed by every node. */
const MOST_OBSERVERS = 100;

/** The polled nodes that observe a staker, lowest downtime budget first, then lowest uptime. */
export function observersOf(
  facts: Facts,
  { network, nodeId }: Subject,
  subnet: string,
  ownNodes: ReadonlySet<string>,
): readonly Observer[] {
  const about = { network, subnet };
  const budgets = byNode(facts.rows("observedBudget", nodeId, about));
  const uptimes = byNode(facts.rows("observedUptime", nodeId, about));
  const connections = byNode(facts.rows("connected", nodeId, about));
  const nodes = new Set([...budgets.keys(), ...uptimes.keys(), ...connections.keys()]);
  return [...nodes]
    .map((node): Observer => {
      const isSelf = ownNodes.has(node);
      return {
        node,
        isSelf,
        uptime: isSelf ? uptimeByPeers(facts, node, subnet) : uptimes.get(node),
        connected: isSelf ? undefined : flagOf(connections.get(node)),
        budget: budgets.get(node),
      };
    })
    .filter(({ isSelf, uptime, budget }) => !isSelf || uptime !== undefined || budget !== undefined)
    .sort((a, b) => lowest(a.budget, b.budget) || lowest(a.uptime, b.uptime))
    .slice(0, MOST_OBSERVERS);
}

/** The uptime that the peers of the validator's own node observe. */
function uptimeByPeers(facts: Facts, node: string, subnet: string): number | undefined {
  const median = subnet === PRIMARY ? facts.value("median", node) : undefined;
  return median === undefined ? undefined : middleOf(median);
}

/** The error in seconds of a downtime budget that is known from the peers of the validator's own node alone. */
export function toleranceOf(facts: Facts, observers: readonly Observer[], start: number): number | undefined {
  const counted = observers.filter(({ budget }) => budget !== undefined);
  const [self] = counted;
  if (self === undefined || counted.some(({ isSelf }) => !isSelf)) return undefined;
  const median = facts.value("median", self.node);
  return median === undefined ? undefined : uptimeError(median) * Math.max(0, facts.at - start) || undefined;
}

/** The observers of an L1 validation, by the L1's own chain. */
export function l1ObserversOf(
  facts: Facts,
  { network, nodeId }: Subject,
  validation: { readonly subnet: string; readonly validation_id: string },
  ownNodes: ReadonlySet<string>,
) {
  const about = { network, ...validation };
  const uptimes = byNode(facts.rows("l1Uptime", nodeId, about));
  const connections = byNode(facts.rows("l1Connected", nodeId, about));
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
  const value = (fact: Parameters<Facts["value"]>[0]) => facts.value(fact, node);
  const [about] = facts.rows("identity", node);
  return {
    node,
    up: flagOf(value("up")),
    healthy: flagOf(value("healthy")),
    validates: flagOf(value("validates")),
    version: about === undefined ? undefined : labelOf(about, "version"),
    upgradeReady: flagOf(value("upgradeReady")),
    /** When a node that is not ready leaves the network's chain. */
    forksOffAt: value("forksOffAt"),
    /** Share of stake that reported an uptime, and whose uptime is enough for the reward. */
    observing: value("observing"),
    rewarding: value("rewarding"),
    /** Uptimes that its peers report, in whole percents. */
    least: value("least"),
    median: value("median"),
    most: value("most"),
    /** The same by `info.uptime`. */
    reportedRewarding: value("reportedRewarding"),
    reportedUptime: value("reportedUptime"),
    /** `undefined` while the node has not listed them. */
    delegations: delegationsOf(facts, node),
  };
}

/** The delegations to the node's validator. */
export type Delegations = NonNullable<ReturnType<typeof delegationsOf>>;

function delegationsOf(facts: Facts, node: string) {
  const rows = facts.rows("delegationsEnding", node);
  if (rows.length === 0) return undefined;
  const sum = (some: readonly Row[]) => some.reduce((all, { value }) => all + value, 0);
  const leaving = (days: 7 | 30 | 90) => {
    const ranges = within(days);
    return sum(rows.filter((row) => ranges.some((range) => range === labelOf(row, "remaining"))));
  };
  const value = (fact: Parameters<Facts["value"]>[0]) => facts.value(fact, node);
  const [end, share] = [value("largeEnd"), value("largeShare")];
  return {
    all: sum(rows),
    within7d: leaving(7),
    within30d: leaving(30),
    within90d: leaving(90),
    /** Stake that ends before the uptime can suffice, and its reward. */
    unrewarded: value("unrewarded"),
    unrewardedReward: value("unrewardedReward"),
    /** When the uptime suffices; `undefined` while it does, or is unknown. */
    recovery: value("recovery"),
    /** If all are rewarded: what is paid for them, and the validator's part. */
    rewards: value("delegationRewards"),
    commission: value("commission"),
    /** The next large one to end. */
    large: end === undefined || share === undefined ? undefined : { end, share },
  };
}

function byNode(rows: readonly Row[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => [row.labels.get("node") ?? "", row.value]));
}

/** Orders numbers; unknown ones come last. */
function lowest(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0;
  return (a ?? Infinity) - (b ?? Infinity);
}
