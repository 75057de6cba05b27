import { PRIMARY } from "../../api/node/platform.ts";
import { percent } from "../../config/base/figures.ts";
import { span } from "../../config/base/durations.ts";
import { budgetAfterOutage } from "../../topics/validators/staking-period.ts";
import { keyOf, type RestartFacts, type RestartNode, type RestartQuorum, type RestartStake } from "./restart-facts.ts";

export type RestartQuestion = {
  /** How long each node is down until it takes part again. Seconds. */
  readonly down: number;
  /** Nodes that run this version are left out. */
  readonly version?: string | undefined;
};

/** Default of `down`, seconds. */
export const USUAL_DOWN = 600;

export type BlockReason = "unknown" | "budget" | "quorum" | "other_node" | "network_stake" | "stake_end" | "balance";

/** Why a node has to wait. */
export type RestartBlock = {
  readonly reason: BlockReason;
  /** One sentence. */
  readonly why: string;
  /** When the reason ends by itself, Unix seconds. */
  readonly until?: number;
};

type NodePlan = Pick<RestartNode, "node" | "network" | "version"> & {
  /** `done`: it runs the version already. */
  readonly state: "safe" | "wait" | "done";
  /** Of a node that waits, the first reason. */
  readonly block?: RestartBlock | undefined;
};

export type RestartPlan = {
  readonly at: number;
  readonly down: number;
  readonly version: string | undefined;
  readonly nodes: readonly NodePlan[];
  /** What is to be waited for before a batch begins: nodes that are not back. */
  readonly away: ReadonlyArray<{ readonly node: string; readonly why: string }>;
  /** Nodes that go down together, one batch after the other. `from` is the earliest time. */
  readonly batches: ReadonlyArray<{ readonly from: number; readonly nodes: readonly string[] }>;
  /** Nodes that no batch can hold as things are. */
  readonly left: ReadonlyArray<{ readonly node: string; readonly block: RestartBlock }>;
  /** The next upgrade of each network, and whether its nodes are restarted before it. */
  readonly deadlines: readonly Deadline[];
};

type Deadline = {
  readonly network: string;
  readonly upgrade: string | undefined;
  readonly at: number;
  readonly fits: boolean;
};

/** Nodes that are alike up to which each has a row; more share one: a fleet waits for a few reasons. */
export const SEPARATE_ROWS = 3;

/** The nodes of each row of a list. @param key what nodes of one row have in common */
export function rowsOf<T>(nodes: readonly T[], key: (node: T) => string): ReadonlyArray<readonly T[]> {
  return [...Map.groupBy(nodes, key).values()].flatMap((same) =>
    same.length > SEPARATE_ROWS ? [same] : same.map((each) => [each]),
  );
}

/** An outage of some nodes together: the sums of those that were chosen, so that one more costs no look at each. */
type Outage = {
  readonly from: number;
  readonly down: number;
  /** Their share of each quorum, by `keyOf`. */
  readonly shares: ReadonlyMap<string, number>;
  /** How many more nodes of a network can join them. */
  readonly room: ReadonlyMap<string | undefined, number>;
};

/** A node that has its budget or its quorum exactly is safe, whatever rounding does. */
const ROUNDING = 1e-9;

/**
 * Which nodes can go down now, and in which order all of them can. What is unknown has to wait. The order takes for granted that
 * between two batches every node comes back and that nothing else changes: ask again after each batch.
 */
export function planOf(facts: RestartFacts, question: RestartQuestion): RestartPlan {
  const { at, nodes } = facts;
  const { down, version } = question;
  const wanted = nodes.filter((node) => !isDone(node, question));
  const planned: readonly NodePlan[] = nodePlans(facts, question).toSorted((a, b) => inOrder(a.node, b.node));
  const { batches, left } = orderOf(facts, wanted, down);
  return {
    at,
    down,
    version,
    nodes: planned,
    away: nodes.filter(isAway).map((each) => ({ node: each.node, why: each.away ?? "" })),
    batches: batches.map((batch) => ({ from: batch.from, nodes: batch.nodes.map(({ node }) => node) })),
    left: left.map(({ node, block }) => ({ node: node.node, block })),
    deadlines: [...facts.upgrades].map(([network, { at: activation, name }]) => {
      const of = (node: RestartNode): boolean => node.network === network;
      const last = batches.findLast((batch) => batch.nodes.some(of));
      const fits = !left.some(({ node }) => of(node)) && (last === undefined || last.from + down <= activation);
      return { network, upgrade: name, at: activation, fits };
    }),
  };
}

/** Which nodes can go down now, each for itself. */
export function nodePlans(facts: RestartFacts, question: RestartQuestion): readonly NodePlan[] {
  const { at, nodes } = facts;
  const away = nodes.filter(isAway);
  const most = mostAway(facts);
  const none = new Map<string, number>();
  const missing = sharesOf(away);
  return nodes.map((node) => {
    const { network, version } = node;
    const common = { node: node.node, network, version };
    if (isDone(node, question)) return { ...common, state: "done" };
    const others = isAway(node) ? [] : away.filter((other) => concerns(node, other));
    const isFull = others.length >= (most.get(network) ?? 1);
    // Those that are away take no part, though some of them are connected.
    const shares = isFull || others.length === 0 ? none : missing;
    const outage = { from: at, down: question.down, shares, room: new Map<string | undefined, number>() };
    const block = blockOf(facts, node, outage, isFull ? others : []);
    return block === undefined ? { ...common, state: "safe" } : { ...common, state: "wait", block };
  });
}

/** `1.15.1`, `v1.15.1` and `avalanchego/1.15.1` are one version. */
function isDone({ version = "" }: RestartNode, { version: wanted }: RestartQuestion): boolean {
  if (wanted === undefined) return false;
  const plain = (text: string): string => text.replace(/^.*\//, "").replace(/^v/, "");
  return plain(version) === plain(wanted);
}

type Batch = { readonly from: number; readonly nodes: readonly RestartNode[] };
type Left = { readonly node: RestartNode; readonly block: RestartBlock };

/** Those that are away come back first, because their weight is missing already; then the heaviest. A batch takes one outage. */
function orderOf(facts: RestartFacts, wanted: readonly RestartNode[], down: number) {
  const heaviest = (node: RestartNode): number => Math.max(0, ...node.stakes.map(({ share = 0 }) => share));
  const sorted = wanted.toSorted((a, b) => heaviest(b) - heaviest(a));
  const first = packed(facts, sorted.filter(isAway), facts.at, down);
  const then = packed(
    facts,
    [...first.left.map(({ node }) => node), ...sorted.filter((node) => !isAway(node))],
    first.end,
    down,
  );
  return { batches: [...first.batches, ...then.batches], left: then.left };
}

function packed(facts: RestartFacts, nodes: readonly RestartNode[], start: number, down: number) {
  const batches: Batch[] = [];
  let from = start;
  for (let left: readonly Left[], rest = nodes; ; rest = left.map(({ node }) => node)) {
    const chosen: RestartNode[] = [];
    const shares = new Map<string, number>();
    const room = halvesOf(facts);
    left = rest.flatMap((node) => {
      const block = blockOf(facts, node, { from, down, shares, room });
      if (block !== undefined) return [{ node, block }];
      chosen.push(node);
      room.set(node.network, (room.get(node.network) ?? 0) - 1);
      for (const { subnet, share = 0 } of node.isCutOff ? [] : node.stakes) {
        const key = keyOf(node.network, subnet);
        shares.set(key, (shares.get(key) ?? 0) + share);
      }
      return [];
    });
    const later = Math.min(...left.map(({ block }) => block.until ?? Infinity));
    if (chosen.length > 0) batches.push({ from, nodes: chosen });
    else if (later === Infinity) return { batches, left, end: from };
    from = chosen.length > 0 ? from + down : later;
  }
}

/**
 * How many nodes of a network can be away while another one goes down: a tenth, so that one node in need of repair does not stop the
 * maintenance of a large fleet. The quorums of the network and of each L1 hold in any case.
 */
function mostAway({ nodes }: RestartFacts): ReadonlyMap<string | undefined, number> {
  const groups = Map.groupBy(nodes, ({ network }) => network);
  return new Map([...groups].map(([network, all]) => [network, Math.max(1, Math.floor(all.length / 10))]));
}

/** The share of each quorum that these nodes have together, by `keyOf`; what is cut off is missing already. */
function sharesOf(nodes: readonly RestartNode[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { network, isCutOff, stakes } of nodes)
    for (const { subnet, share = 0 } of isCutOff ? [] : stakes) {
      const key = keyOf(network, subnet);
      shares.set(key, (shares.get(key) ?? 0) + share);
    }
  return shares;
}

/** Names as people order them: node-2 before node-10. */
function inOrder(one: string, other: string): number {
  const [a, b] = [one, other].map((name) => name.replaceAll(/\d+/g, (digits) => digits.padStart(12, "0")));
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

/** Half of the nodes of a network stay up: its users need them, and a quorum is known from what they observe. */
function halvesOf({ nodes }: RestartFacts): Map<string | undefined, number> {
  const groups = Map.groupBy(nodes, ({ network }) => network);
  return new Map([...groups].map(([network, all]) => [network, Math.max(1, Math.floor(all.length / 2))]));
}

const isAway = ({ away }: RestartNode): boolean => away !== undefined;

/** The first reason why a node cannot go down, with others. @param away nodes that must be back before */
function blockOf(
  facts: RestartFacts,
  node: RestartNode,
  outage: Outage,
  away: readonly RestartNode[] = [],
): RestartBlock | undefined {
  return blocks(facts, node, outage, away).find((block) => block !== undefined);
}

function* blocks(facts: RestartFacts, node: RestartNode, outage: Outage, away: readonly RestartNode[]) {
  const { stakes, network } = node;
  const missing = missingOf(facts, node);
  if (missing !== undefined) yield blocked("unknown", missing);
  const quorums = stakes.map(({ subnet }) => facts.quorums.get(keyOf(network, subnet)));
  for (const stake of stakes) yield budgetBlock(node, stake, outage);
  for (const quorum of quorums) if (quorum?.subnet !== PRIMARY) yield quorumBlock(node, quorum, outage);
  const [first, ...more] = away;
  if (first !== undefined)
    yield blocked(
      "other_node",
      `${first.node} ${first.away ?? "is away"}${more.length === 0 ? "" : `, and ${more.length} more are not back`}.`,
    );
  if (outage.room.get(network) === 0) yield blocked("other_node", "Half of the nodes of the network are down.");
  for (const quorum of quorums) if (quorum?.subnet === PRIMARY) yield quorumBlock(node, quorum, outage);
  for (const stake of stakes) yield endBlock(node, stake, outage);
  for (const stake of stakes) yield balanceBlock(facts, node, stake, outage);
}

function missingOf({ isWhole, quorums }: RestartFacts, { node, network, nodeId, up }: RestartNode): string | undefined {
  if (!isWhole) return "This exporter polls one shard of the fleet: it does not see the other nodes.";
  if (up === undefined) return `${node} was not polled yet, or the exporter is too busy.`;
  if (network === undefined || nodeId === undefined) return `The node ID or the network of ${node} is unknown.`;
  const sets = [...quorums.values()].filter((quorum) => quorum.network === network);
  if (!sets.some(({ subnet }) => subnet === PRIMARY)) return `The validators of ${network} are unknown.`;
  const unknown = sets.find(({ isKnown }) => !isKnown);
  return unknown === undefined ? undefined : `The validators of ${unknown.name} are unknown.`;
}

function budgetBlock({ node }: RestartNode, { subnet, budget, tolerance, end }: RestartStake, outage: Outage) {
  if (budget === "none") return undefined;
  if (budget === undefined || (subnet === PRIMARY && end === undefined))
    return blocked("unknown", `How much downtime ${node} has left is unknown.`);
  // A reward that is lost has nothing more to lose.
  if (budget + tolerance < 0) return undefined;
  const { from, down: seconds } = outage;
  if (budgetAfterOutage(budget - tolerance, { from, seconds, end: end ?? Infinity }) >= 0) return undefined;
  const left = `${span(budget)} of downtime left${tolerance === 0 ? "" : `, give or take ${span(tolerance)}`}`;
  return blocked("budget", `${node} has ${left}: an outage of ${span(seconds)} costs its reward.`);
}

function quorumBlock(
  node: RestartNode,
  quorum: RestartQuorum | undefined,
  { shares }: Outage,
): RestartBlock | undefined {
  const own = node.stakes.find(({ subnet }) => subnet === quorum?.subnet)?.share;
  if (node.isCutOff || own === 0) return undefined;
  const { connected, required, network, subnet = "", name = "a subnet" } = quorum ?? {};
  if (connected === undefined || required === undefined || own === undefined)
    return blocked("unknown", `How much weight of ${name} is connected without ${node.node} is unknown.`);
  const without = connected - own - (shares.get(keyOf(network, subnet)) ?? 0);
  if (without >= required - ROUNDING) return undefined;
  return blocked(
    subnet === PRIMARY ? "network_stake" : "quorum",
    `Without ${node.node} ${percent(without)} of the weight of ${name} is connected, and its chains' health checks require ${percent(required)}.`,
  );
}

/** Whether a node waits for another one. Two networks do not wait for each other, and what is away begins the order. */
function concerns(node: RestartNode, other: RestartNode): boolean {
  const isOther = other.nodeId === undefined || other.nodeId !== node.nodeId;
  return isOther && (other.network === undefined || other.network === node.network);
}

function endBlock({ node }: RestartNode, { end }: RestartStake, { from, down }: Outage): RestartBlock | undefined {
  if (end === undefined || end < from || end > from + down) return undefined;
  const why = `The stake of ${node} ends within the outage, and the network judges its uptime then.`;
  return { reason: "stake_end", why, until: end + 1 };
}

function balanceBlock({ at }: RestartFacts, { node }: RestartNode, stake: RestartStake, { from, down }: Outage) {
  const { runway } = stake;
  if (runway === "none") return undefined;
  if (runway === undefined) return blocked("unknown", `How long the L1 balance of ${node} lasts is unknown.`);
  return runway > from + down - at
    ? undefined
    : blocked("balance", `The L1 balance of ${node} lasts ${span(runway)}: top it up first.`);
}

function blocked(reason: BlockReason, why: string): RestartBlock {
  return { reason, why };
}
