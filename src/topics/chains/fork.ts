import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { Validators } from "../../api/node/platform.ts";
import { chainIds, comparedIds } from "../chain-ids.ts";
import { labelledChains } from "../node/health-messages.ts";
import { gauges, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { chainLabel } from "../labels.ts";
import { isSilent, Reaches } from "../reach.ts";
import { share, stakesOf } from "../stakes.ts";
import { addHeads, NO_HEADS, sidesAt, type Head } from "./fork-heads.ts";
import { forkIn, INTERFACES, restoredForks, savedForks, type Forks, type ForkInterface } from "./saved-forks.ts";

const needs = { reach: Reaches, report: Health, ids: chainIds, heads: EvmHead, sets: Validators };
type Members = ComparedData<typeof needs>["members"];
type State = Forks;

const SOURCE =
  "(health API, chain check: `lastAcceptedHeight`, `lastAcceptedID`; eth_getBlockByNumber of the last height that is a multiple of 32: `hash`)";
/** Names of nodes of one side in a label. */
const MOST_NAMED = 5;

/** For everybody who serves or validates a chain: nodes of both sides are healthy, at the same height, with other blocks. */
export const fork = comparingTopic(
  {
    id: "fork",
    about: "Do the polled nodes have the same blocks?",
    // For whoever runs shards: a fork between nodes of one of them is found by that one alone.
    perShard: true,
    needs,
    start: (): State => new Map(),
    compare: (state: State, { members }: ComparedData<typeof needs>, { time }: Context): State => {
      const read = headsOf(members);
      const silent = new Map(members.map(({ facts, answers }) => [facts.node, isSilent(answers.reach?.value)]));
      return new Map(
        [...new Set([...state.keys(), ...read.keys()])].flatMap((chain) => {
          const heads = INTERFACES.map((by) => {
            const before = state.get(chain)?.get(by) ?? NO_HEADS;
            return [by, addHeads(before, read.get(chain)?.get(by) ?? new Map(), silent, time)] as const;
          });
          const known = heads.filter(([, { last }]) => last.size > 0);
          return known.length === 0 ? [] : [[chain, new Map(known)] as const];
        }),
      );
    },
    saved: { save: savedForks, restore: restoredForks },
  },
  {
    height: gauges(
      "avax_chain_fork_height",
      `Lowest height at which polled nodes of a network were seen with different accepted blocks and have not agreed since; 0 while they have the same blocks; absent with one node alone. A node that does not answer stays on its side ${SOURCE}.`,
      ["chain"],
      ({ state }) =>
        [...state].flatMap(([chain, by]) =>
          by.values().some(({ last }) => last.size > 1) ? [[{ chain }, forkIn(by)?.fork ?? 0] as const] : [],
        ),
    ),
    stake: gauges(
      "avax_chain_fork_stake_ratio",
      `Share of the stake or weight of the chain's validators that the polled nodes of one side of a fork have, one series for each side with the names of its nodes ${SOURCE.slice(0, -1)}; platform.getCurrentValidators, \`weight\`, \`delegatorWeight\`).`,
      ["chain", "nodes"],
      ({ state, members }) => forks(state, members).map(({ chain, nodes, stake }) => [{ chain, nodes }, stake]),
    ),
  },
  ({ height }) => ({
    AvaxChainForked: {
      severity: "critical",
      when: { of: height, above: 0 },
      labels: ["network", "chain"],
      for: "1m",
      impact: "One side follows blocks that the network rejects: what it serves is wrong, and its votes are lost.",
      summary: `{{ $labels.network }}: {{ $labels.chain }} has forked at block {{ $value | printf "%.0f" }}: one side is lost`,
      over: "has one history again ({{ $labels.network }})",
      description: "`avax_chain_fork_stake_ratio` has the sides; the smaller is likely wrong.",
      meaning:
        "Accepted blocks are final, so two nodes with different ones at a height follow different histories: another release, another upgrade time, a corrupt database, or a network that is split. EVM chains are compared at each 32nd block: a fork is found within 32 blocks and 10 s, on a chain with a block every 2 s within 75 s. Any chain is compared where health checks of two nodes had the same height: of simulated forks of two nodes with checks every 30 s, half are found within 2 min and 99 of 100 within 7 min with a block every 10 s, within 3 and 13 min with one every 5 s.",
      confirm:
        "`avax_chain_fork_stake_ratio` has the sides. Compare versions (`avax_node_info`) and upgrade times of both sides, and the block with an explorer.",
      commands: {
        "call <any-node> /ext/health":
          "`lastAcceptedID` of the chain's check at one `lastAcceptedHeight`: it differs between the sides.",
      },
      action:
        "Find the network's side by explorer or stake; upgrade and resync the other nodes. Take them out of service first.",
      falsePositives:
        "A node serves unaccepted blocks (`allow-unfinalized-queries` of the EVM chain) and is the only one on its side.",
    },
  }),
);

/** The heads of the nodes by chain and interface. Each names blocks by IDs of its own. */
function headsOf(members: Members): ReadonlyMap<string, ReadonlyMap<ForkInterface, ReadonlyMap<string, Head>>> {
  const found = new Map<string, Map<ForkInterface, Map<string, Head>>>();
  const add = (chain: string, by: ForkInterface, node: string, head: Head): void => {
    const ofChain = found.get(chain) ?? new Map<ForkInterface, Map<string, Head>>();
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

/** The sides of each fork. */
function forks(state: State, members: Members) {
  return [...state].flatMap(([chain, by]) => {
    const first = forkIn(by);
    if (first === undefined) return [];
    return sidesAt(first.byHeight, first.fork).map((side) => {
      const names = [...side].sort();
      const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
      return { chain, nodes: names.slice(0, MOST_NAMED).join(", ") + more, stake: stakeOf(side, members, chain) };
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
