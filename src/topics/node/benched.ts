import { Peers } from "../../api/node/info.ts";
import type { Peer } from "../../api/peer.ts";
import { PRIMARY, Validators } from "../../api/node/platform.ts";
import { chainIds, checkLabel, comparedIds } from "../chain-ids.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic, topic } from "../define/topic.ts";
import { perAnswer } from "../per-answer.ts";
import { primarySetOf, share, stakesOf } from "../stakes.ts";
import { NETWORK_HALTED, NODE_OUT } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** With more stake than this not querying the node, its votes are missed. */
export const BENCHED_RATIO = 0.1;
/** A single node that benches another can itself be at fault. */
const BENCHED_BY = 2;

const benchedBy = threshold("benched", "share", "when more than this share of the stake benches the node", {
  standard: BENCHED_RATIO,
  least: 0.01,
  most: 1,
});

/** A node that benches this much stake has most likely lost its own connection. */
const benchingStake = threshold("benching", "share", "when the node benches more than this share of the stake", {
  standard: 0.2,
  least: 0.01,
  most: 1,
});

const needs = { peers: Peers, sets: Validators, ids: chainIds };
const SOURCE = "(info.peers of the other nodes, `benched`; platform.getCurrentValidators, `weight`).";

/** Stake that benches a node on one chain, nAVAX, and how many polled nodes that is. */
type Bench = { readonly stake: bigint; readonly nodes: number };
const UNBENCHED: Bench = { stake: 0n, nodes: 0 };
type Labels = Readonly<Record<"node" | "chain", string>>;
type State = ReadonlyArray<Bench & { readonly labels: Labels; readonly observers: bigint; readonly total: bigint }>;

export const benched = comparingTopic(
  {
    id: "benched",
    about: "How much stake benches this node, that is, does not query it?",
    needs,
    start: (): State => [],
    compare: (_state: State, { members }: ComparedData<typeof needs>) => judge(members),
    formulas: [
      {
        metric: "avax_node_benched_stake_ratio",
        formula:
          "stake of the polled nodes that bench this node on the chain / stake of all other polled nodes, or / all stake while fewer than two nodes bench it",
        example:
          "Three other polled validators of 2,000,000 each, two of them bench the node: 4,000,000 / 6,000,000. One of them: 2,000,000 of all 10,000,000.",
        result: 0.666666666667,
      },
    ],
  },
  {
    stake: gauges(
      "avax_node_benched_stake_ratio",
      `Share of stake that benches this node on a chain: of the other polled nodes' stake, an estimate for all, where at least ${BENCHED_BY} of them bench it, else of all stake, a lower bound; absent without stake among them ${SOURCE}`,
      ["node", "chain"],
      ({ state }) =>
        state.map(({ labels, stake, nodes, observers, total }) => [
          labels,
          share(stake, nodes >= BENCHED_BY ? observers : total),
        ]),
    ),
  },
  ({ stake }) => ({
    AvaxNodeBenched: {
      severity: "warning",
      when: { of: stake, above: benchedBy },
      labels: ["node", "network", "chain"],
      for: "10m",
      explainedBy: [
        ...NODE_OUT,
        NETWORK_HALTED,
        {
          alert: "AvaxValidatorDisconnected",
          equal: ["network", "node"],
          why: "Nodes bench a validator that does not answer.",
        },
      ],
      summary: '{{ $labels.node }} is benched by {{ $value | printf "%.1f" }} % of stake on {{ $labels.chain }}',
      over: "is no longer benched on {{ $labels.chain }}",
      meaning:
        "A node that leaves queries unanswered is benched: it gets no queries for a while. Its votes are missing, and it receives new blocks later. It still counts as connected.",
      confirm:
        "`avax_peer_benched` of its node ID shows which nodes bench it; `avax_node_outstanding_requests`, `avax_chain_processing_blocks` and the machine's CPU and disk show why it does not answer.",
      commands: {
        "call <node> info.getNodeID": "The node ID to look for.",
        [`call <any-node> info.peers '{"nodeIDs": ["<id-of-node>"]}'`]:
          "`benched` lists the chains on which that node does not query it.",
      },
      action: "Add what the node lacks: CPU, disk speed, network. Check for long compactions and heavy API users.",
      falsePositives: "The polled nodes themselves lost their connection to it, and others did not.",
    },
  }),
);

export const benching = topic(
  { id: "benching", about: "How much stake does this node bench, that is, not query?", scope: "node", needs },
  {
    stake: gauges(
      "avax_node_benching_stake_ratio",
      "Share of all stake that this node benches on a chain (info.peers, `benched`; platform.getCurrentValidators, `weight`).",
      ["chain"],
      ({ peers, sets, ids }, context) => {
        const set = sets.get(PRIMARY);
        const benches = benchesOf(peers.peers);
        if (set === undefined || benches === undefined) return [];
        const { byNode, total } = stakesOf(set);
        const sums = new Map(context.chains.map(({ label }) => [label, 0n]));
        for (const { nodeID, chains } of benches) {
          for (const chain of chains) {
            const label = checkLabel(context, ids, chain);
            sums.set(label, (sums.get(label) ?? 0n) + (byNode.get(nodeID) ?? 0n));
          }
        }
        return [...sums].slice(0, MOST_CHAINS).map(([chain, stake]) => [{ chain }, share(stake, total)]);
      },
    ),
    watched: gauges(
      "avax_peer_benched",
      "1 for each chain on which this node benches a watched validator; absent otherwise (info.peers, `benched`).",
      ["node_id", "chain"],
      ({ peers, ids }, context) => {
        const watched = new Set(context.watch);
        return (benchesOf(peers.peers) ?? [])
          .filter(({ nodeID }) => watched.has(nodeID))
          .flatMap(({ nodeID, chains }) =>
            [...new Set(chains.map((chain) => checkLabel(context, ids, chain)))]
              .slice(0, MOST_CHAINS)
              .map((chain) => [{ node_id: nodeID, chain }, 1] as const),
          );
      },
    ),
  },
  ({ stake }) => ({
    AvaxNodeBenchesStake: {
      severity: "warning",
      when: { of: stake, above: benchingStake },
      labels: ["node", "network", "chain"],
      for: "10m",
      explainedBy: [...NODE_OUT, NETWORK_HALTED],
      summary: '{{ $labels.node }} benches {{ $value | printf "%.1f" }} % of stake on {{ $labels.chain }}',
      over: "queries the stake on {{ $labels.chain }} again",
      meaning:
        "So many validators rarely fail at once: more likely this node's requests or their answers get lost. With the remaining stake it cannot follow the chain well.",
      confirm:
        "`avax_node_outstanding_requests`, `avax_node_send_failure_ratio`, `avax_node_longest_running_request_seconds`; `avax_node_benching_stake_ratio` of other nodes.",
      commands: {
        "call <node> info.peers": "`benched` of each peer lists the chains on which this node does not query it.",
      },
      action: "Check the node's network, CPU and bandwidth. A restart clears the bench, not the cause.",
      falsePositives: "Other polled nodes bench the same stake: the network itself has a problem.",
    },
  }),
);

/** Maximum of chains with series: peers choose the IDs that have no alias. */
const MOST_CHAINS = 30;

/**
 * The peers that are benched; `undefined` where the server does not tell of one. They are few, so a comparison need not read every
 * peer of every node.
 */
const benchesOf = perAnswer((peers: readonly Peer[]) => {
  const found: Array<{ readonly nodeID: string; readonly chains: readonly string[] }> = [];
  for (const { nodeID, benched } of peers) {
    if (benched === undefined) return undefined;
    if (benched.length > 0) found.push({ nodeID, chains: benched });
  }
  return found;
});

type Members = ComparedData<typeof needs>["members"];

/** Each node on each chain: the stake that benches it, that of its observers, and all stake, in nAVAX. */
function judge(members: Members): State {
  const set = primarySetOf(members);
  if (set === undefined) return [];
  const { byNode, total } = stakesOf(set);
  const { benches, observers } = gather(members, byNode);
  const observing = [...observers.values()].reduce((sum, stake) => sum + stake, 0n);
  return members.flatMap(({ facts: { node, nodeId, chains } }) => {
    const others = observing - (observers.get(nodeId ?? "") ?? 0n);
    // Without stake among the other nodes there is no observer.
    if (nodeId === undefined || others === 0n) return [];
    const known = chains.map(({ label }) => [label, UNBENCHED] as const);
    const byChain = new Map([...known, ...[...(benches.get(nodeId) ?? [])].slice(0, MOST_CHAINS)]);
    return [...byChain].map(([chain, bench]) => ({ labels: { node, chain }, ...bench, observers: others, total }));
  });
}

/** Benches by node ID and label of the chain, and the stake of the observers. A node that is configured twice counts once. */
function gather(members: Members, stakes: ReadonlyMap<string, bigint>) {
  const benches = new Map<string, Map<string, Bench>>();
  const observers = new Map<string, bigint>();
  for (const { facts, answers } of members) {
    const { nodeId = "" } = facts;
    const benched = answers.peers && benchesOf(answers.peers.value.peers);
    if (nodeId === "" || benched === undefined || observers.has(nodeId)) continue;
    const own = stakes.get(nodeId) ?? 0n;
    observers.set(nodeId, own);
    const ids = comparedIds(answers.ids);
    for (const { nodeID, chains } of benched) {
      const byChain = benches.get(nodeID) ?? new Map<string, Bench>();
      benches.set(nodeID, byChain);
      for (const chain of new Set(chains.map((each) => checkLabel(facts, ids, each)))) {
        const { stake, nodes } = byChain.get(chain) ?? UNBENCHED;
        byChain.set(chain, { stake: stake + own, nodes: nodes + 1 });
      }
    }
  }
  return { benches, observers };
}
