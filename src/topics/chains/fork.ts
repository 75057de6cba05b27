import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { Validators } from "../../api/node/platform.ts";
import { chainIds, comparedIds } from "../checked-chains.ts";
import { labelledChains } from "../node/health-messages.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { chainLabel } from "../labels.ts";
import { share, stakesOf } from "../stake.ts";

const needs = { report: Health, ids: chainIds, heads: EvmHead, sets: Validators };
type Members = ComparedData<typeof needs>["members"];
/** By chain, and by the interface whose IDs are compared. */
type State = ReadonlyMap<string, ReadonlyMap<Interface, Heads>>;
type Interface = "check" | "evm";

const SOURCE =
  "(health API, chain check: `lastAcceptedHeight`, `lastAcceptedID`; eth_getBlockByNumber of the last height that is a multiple of 32: `hash`)";
/** Names of nodes of one side in a label. */
const MOST_NAMED = 5;

/** For everybody who serves or validates a chain: nodes of both sides are healthy, at the same height, with other blocks. */
export const fork = comparingTopic(
  {
    id: "fork",
    about: "Do the polled nodes have the same blocks?",
    needs,
    start: (): State => new Map(),
    compare: (state: State, { members }: ComparedData<typeof needs>): State =>
      new Map(
        [...headsOf(members)].map(([chain, read]) => [
          chain,
          new Map([...read].map(([by, heads]) => [by, addHeads(state.get(chain)?.get(by) ?? NO_HEADS, heads)])),
        ]),
      ),
  },
  {
    height: gauges(
      "avax_chain_fork_height",
      `Lowest height at which polled nodes of a network were seen with different accepted blocks and have not agreed since, one series for each side with the names of its nodes; absent without a fork ${SOURCE}.`,
      ["chain", "nodes"],
      ({ state, members }) => forks(state, members).map(({ chain, nodes, height }) => [{ chain, nodes }, height]),
    ),
    stake: gauges(
      "avax_chain_fork_stake_ratio",
      `Share of the stake or weight of the chain's validators that the polled nodes of one side of a fork have ${SOURCE.slice(0, -1)}; platform.getCurrentValidators, \`weight\`, \`delegatorWeight\`).`,
      ["chain", "nodes"],
      ({ state, members }) => forks(state, members).map(({ chain, nodes, stake }) => [{ chain, nodes }, stake]),
    ),
  },
  ({ height, stake }) => ({
    AvaxChainForked: {
      severity: "critical",
      expr: `max without (nodes) (${height})`,
      labels: ["network", "chain"],
      for: "1m",
      loses: "One side follows blocks that the network rejects: what it serves is wrong, and its votes are lost.",
      summary: `{{ $labels.network }}: {{ $labels.chain }} has forked at block {{ $value | printf "%.0f" }}: one side is lost`,
      description: `Polled nodes have different accepted blocks. The sides, with their stake:{{ range printf "${stake}{network=%q,chain=%q}" $labels.network $labels.chain | query | sortByLabel "nodes" }} {{ .Labels.nodes }} ({{ .Value | humanizePercentage }});{{ end }} the side with less stake is most likely wrong.`,
      meaning:
        "Accepted blocks are final, so two nodes with different ones at a height follow different histories: another release, another upgrade time, a corrupt database, or a network that is split. EVM chains are compared at each 32nd block: a fork is found within 32 blocks and 10 s, on a chain with a block every 2 s within 75 s. Any chain is compared where health checks of two nodes had the same height: of simulated forks of two nodes with checks every 30 s, half are found within 2 min and 99 of 100 within 7 min with a block every 10 s, within 3 and 13 min with one every 5 s.",
      confirm:
        "`avax_chain_fork_stake_ratio` has the sides. Compare versions (`avax_node_info`) and upgrade times of both sides, and the block with an explorer.",
      commands: {
        "call <any-node> /ext/health":
          "`lastAcceptedID` of the chain's check at one `lastAcceptedHeight`: it differs between the sides.",
      },
      action:
        "Find the side of the network by an explorer or by stake. Take the other out of service, install the network's release and resync.",
      falseWhen:
        "A node serves unaccepted blocks (`allow-unfinalized-queries` of the EVM chain) and is the only one on its side.",
    },
  }),
);

/** The heads of the nodes by chain and interface. Each names blocks by IDs of its own. */
function headsOf(members: Members): ReadonlyMap<string, ReadonlyMap<Interface, ReadonlyMap<string, Head>>> {
  const found = new Map<string, Map<Interface, Map<string, Head>>>();
  const add = (chain: string, by: Interface, node: string, head: Head): void => {
    const ofChain = found.get(chain) ?? new Map<Interface, Map<string, Head>>();
    found.set(chain, ofChain);
    ofChain.set(by, (ofChain.get(by) ?? new Map<string, Head>()).set(node, head));
  };
  for (const { facts, answers } of members) {
    const checked = answers.report && labelledChains(facts, answers.report.value, comparedIds(answers.ids));
    for (const [chain, { height, lastId: id }] of checked ?? [])
      if (height !== undefined && id !== undefined) add(chain, "check", facts.node, { height, id });
    for (const [chain, { value }] of answers.heads ?? []) {
      const { height, hash } = value.checkpoint;
      if (hash !== undefined) add(chainLabel(facts, chain), "evm", facts.node, { height, id: hash });
    }
  }
  return found;
}

/** The sides of each fork: of the interface that shows it at the lower height. */
function forks(state: State, members: Members) {
  return [...state].flatMap(([chain, by]) => {
    const [first] = [...by.values()]
      .filter((heads) => heads.fork !== undefined)
      .sort((a, b) => (a.fork ?? 0) - (b.fork ?? 0));
    const height = first?.fork;
    if (first === undefined || height === undefined) return [];
    return sidesAt(first.byHeight, height).map((side) => {
      const names = [...side].sort();
      const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
      return {
        chain,
        nodes: names.slice(0, MOST_NAMED).join(", ") + more,
        height,
        stake: stakeOf(side, members, chain),
      };
    });
  });
}

function stakeOf(side: ReadonlySet<string>, members: Members, chain: string): number | undefined {
  const subnet = members.flatMap(({ facts }) => facts.knownChains).find(({ label }) => label === chain)?.subnet ?? "";
  const set = members.find(({ answers }) => answers.sets?.has(subnet))?.answers.sets?.get(subnet)?.value;
  if (set === undefined) return undefined;
  const { byNode, total } = stakesOf(set);
  const ids = new Set(members.filter(({ facts }) => side.has(facts.node)).map(({ facts }) => facts.nodeId ?? ""));
  const stake = [...ids].reduce((sum, id) => sum + (byNode.get(id) ?? 0n), 0n);
  return share(stake, total);
}

/** A block that a node had as its last accepted one. */
type Head = { readonly height: number; readonly id: string };

/** By node, the block that it had at one height. */
type Blocks = ReadonlyMap<string, string>;

/** The heads of the nodes of one chain, as one of their interfaces names blocks. */
type Heads = {
  /** The last head of each node. */
  readonly last: ReadonlyMap<string, Head>;
  readonly byHeight: ReadonlyMap<number, Blocks>;
  /** The lowest known height at which nodes differ that have not agreed at a later one. */
  readonly fork: number | undefined;
};

const NO_HEADS: Heads = { last: new Map(), byHeight: new Map(), fork: undefined };

/** Heights that are kept, some quarter of an hour of C-Chain blocks: nodes are not polled at the same height. */
const MOST_HEIGHTS = 512;

/** Adds the present heads. A node that does not answer has none, and one whose height fell begins again: it resyncs. */
function addHeads(before: Heads, now: ReadonlyMap<string, Head>): Heads {
  const byHeight = withoutNodes(
    before.byHeight,
    [...before.last].filter(([node, { height }]) => (now.get(node)?.height ?? -1) < height).map(([node]) => node),
  );
  // A height is copied once, however many of a thousand nodes reach it together.
  for (const [height, heads] of Map.groupBy(now, ([, head]) => head.height)) {
    const known = byHeight.get(height);
    const news = heads.filter(([node, { id }]) => known?.get(node) !== id).map(([node, { id }]) => [node, id] as const);
    if (news.length > 0) byHeight.set(height, new Map([...(known ?? []), ...news]));
  }
  const fork = forkOf(byHeight);
  const old = [...byHeight.keys()].sort((a, b) => b - a).slice(MOST_HEIGHTS);
  for (const height of old) if (height !== fork) byHeight.delete(height);
  return { last: now, byHeight, fork };
}

function withoutNodes(byHeight: Heads["byHeight"], nodes: readonly string[]): Map<number, Blocks> {
  if (nodes.length === 0) return new Map(byHeight);
  const rest = [...byHeight].map(
    ([height, blocks]) => [height, new Map([...blocks].filter(([node]) => !nodes.includes(node)))] as const,
  );
  return new Map(rest.filter(([, blocks]) => blocks.size > 0));
}

/** From the highest height down: nodes that agree have one history below, whatever they had there. */
function forkOf(byHeight: Heads["byHeight"]): number | undefined {
  const differing = [...byHeight].filter(([, blocks]) => {
    const [first] = blocks.values();
    return blocks.values().some((id) => id !== first);
  });
  const heights = differing.map(([height]) => height).sort((a, b) => a - b);
  return heights.find((height) => sidesAt(byHeight, height).length > 1);
}

/** The nodes of each block at a height, with those that agree with one of them at a later height. */
function sidesAt(byHeight: Heads["byHeight"], height: number): ReadonlyArray<ReadonlySet<string>> {
  let sides = groups(byHeight.get(height));
  for (const [later, blocks] of byHeight) {
    if (later <= height) continue;
    for (const nodes of groups(blocks)) {
      const joined = sides.filter((side) => !side.isDisjointFrom(nodes));
      if (joined.length === 0) continue;
      const others = sides.filter((side) => !joined.includes(side));
      sides = [...others, new Set([...joined, nodes].flatMap((side) => [...side]))];
    }
  }
  return sides;
}

/** The nodes of each block. */
function groups(blocks: Blocks = new Map()): ReadonlyArray<ReadonlySet<string>> {
  return [...Map.groupBy(blocks, ([, id]) => id).values()].map((nodes) => new Set(nodes.map(([node]) => node)));
}
