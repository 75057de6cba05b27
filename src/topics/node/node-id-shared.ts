import { Health } from "../../api/node/health.ts";
import { Peers } from "../../api/node/info.ts";
import { DUPLICATED_VALIDATOR, REPLACED } from "../define/causes.ts";
import { infos, type Context } from "../define/metric.ts";
import { maybe, type ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";

const needs = { report: maybe(Health), peers: Peers };
type Members = ComparedData<typeof needs>["members"];

/** When an address was reported first and last. Unix seconds. */
type Span = { readonly first: number; readonly last: number };
type State = {
  /** By node ID, then by address. */
  readonly spans: ReadonlyMap<string, ReadonlyMap<string, Span>>;
  /** By polled node, the time of the last answer that was read. */
  readonly read: ReadonlyMap<string, number>;
};

/** After a move, peers report the earlier address for less than this. Seconds. */
const OVERLAP = 180;
/** Seconds after which an address is forgotten. */
const KEPT = 1800;
/** Addresses of one validator that are named. */
const MOST_NAMED = 3;

/** For the operator whose migration left the old machine running: peers split between both, and each seems cut off. */
export const nodeIdShared = comparingTopic(
  {
    id: "node-id-shared",
    about: "Do two machines run with one node ID?",
    needs,
    start: (): State => ({ spans: new Map(), read: new Map() }),
    compare: (state: State, { members }: ComparedData<typeof needs>, { watchNetwork, time }: Context) =>
      followed(state, members, new Set(watchNetwork), time),
  },
  {
    shared: infos(
      "avax_node_id_shared_info",
      "1 while another polled node answers with the node ID of this one; `others` are the names of these nodes (info.getNodeID, `nodeID`; health API and info.peers: both answer).",
      ["node", "others"],
      ({ members }) => sharing(members),
    ),
    addresses: infos(
      "avax_validator_addresses_info",
      "1 while a watched validator is connected from several addresses in turn or at once: peers of the polled nodes reported each of them at least 3 minutes after the other one appeared, the last time within 30 minutes (info.peers, `publicIP`).",
      ["node_id", "addresses"],
      ({ state }) =>
        [...state.spans].flatMap(([nodeId, spans]) => {
          const found = overlapping(spans);
          return found.length === 0 ? [] : [{ node_id: nodeId, addresses: found.slice(0, MOST_NAMED).join(", ") }];
        }),
    ),
  },
  ({ shared, addresses }) => ({
    AvaxNodeIdDuplicated: {
      severity: "critical",
      expr: `${shared}`,
      labels: ["node", "network", "others"],
      for: "2m",
      // Longer than that of what it explains.
      keepFiringFor: "8m",
      loses: "Peers split between the machines: neither is connected to enough stake, and the validator is offline.",
      explainedBy: [REPLACED],
      summary: "{{ $labels.node }}, {{ $labels.others }} share a node ID: stop one",
      description: "Both answer with it. A peer connects to one of them only.",
      meaning:
        "Two machines run with the same staking keys, usually after a migration whose old machine still runs. Each peer is connected to one of them: both lack stake, and the uptime of the validator falls.",
      confirm:
        "`avax_node_info` of both has the same `node_id`; `avax_node_peers` of both together is that of one node.",
      commands: {
        "call <node> info.getNodeID": "The same `nodeID` on each of the named nodes.",
        "call <node> info.getNodeIP": "The address of the machine that answers.",
      },
      action:
        "Stop the machine that should not run, for good. Restart the other one if its peers do not return within minutes.",
      falseWhen: "One node is configured under two names: remove one of them.",
    },
    AvaxValidatorAddressChanging: {
      severity: "warning",
      expr: `${addresses}`,
      labels: ["network", "node_id", "addresses"],
      for: "5m",
      explainedBy: [DUPLICATED_VALIDATOR],
      summary: "{{ or $labels.name $labels.node_id }} has several addresses in turn: a second machine?",
      description:
        "Peers report {{ $labels.addresses }} in turn: a second machine runs with the node ID, or the address changes to and fro.",
      meaning:
        "A validator advertises one address, signed with its key. Several in turn mean two machines with the same staking keys. Peers split between them, and the uptime of the validator falls.",
      confirm: "`publicIP` of the validator in `info.peers` of several nodes, several times.",
      commands: {
        [`call <any-node> info.peers '{"nodeIDs": ["<node_id>"]}'`]:
          "`publicIP` differs between the polled nodes, or between two calls some minutes apart.",
      },
      action: "Find the machine at the second address and stop it. With one machine: fix its `--public-ip`.",
      falseWhen: "A migration was taken back within half an hour.",
    },
  }),
);

/** The polled nodes that answer with the node ID of another one which answers too. */
function sharing(members: Members) {
  const names = new Map<string, string[]>();
  for (const { facts, answers } of members) {
    const { node, nodeId } = facts;
    if (nodeId === undefined || (answers.report === undefined && answers.peers === undefined)) continue;
    names.set(nodeId, [...(names.get(nodeId) ?? []), node].sort());
  }
  return [...names.values()].flatMap((nodes) =>
    nodes.length < 2 ? [] : nodes.map((node) => ({ node, others: nodes.filter((each) => each !== node).join(", ") })),
  );
}

/** Adds the addresses of watched validators in new answers. A node of a thousand reads each answer once. */
function followed(state: State, members: Members, watched: ReadonlySet<string>, now: number): State {
  const read = new Map<string, number>();
  const next = new Map([...state.spans].map(([nodeId, spans]) => [nodeId, new Map(spans)] as const));
  for (const { facts, answers } of members) {
    if (answers.peers === undefined) continue;
    const { value, answeredAt } = answers.peers;
    read.set(facts.node, answeredAt);
    if (state.read.get(facts.node) === answeredAt) continue;
    for (const { nodeID, publicIP } of value.peers) {
      if (publicIP === undefined || !watched.has(nodeID) || nodeID === facts.nodeId) continue;
      const spans = next.get(nodeID) ?? new Map<string, Span>();
      const { first } = spans.get(publicIP) ?? { first: answeredAt };
      next.set(nodeID, spans.set(publicIP, { first, last: answeredAt }));
    }
  }
  for (const [nodeId, spans] of next) {
    for (const [address, { last }] of spans) if (now - last > KEPT) spans.delete(address);
    if (spans.size === 0 || !watched.has(nodeId)) next.delete(nodeId);
  }
  return { spans: next, read };
}

/** The addresses that were in use at the time of another one, sorted. */
function overlapping(spans: ReadonlyMap<string, Span>): readonly string[] {
  const all = [...spans];
  return all
    .filter(([address, span]) =>
      all.some(
        ([other, { first, last }]) =>
          other !== address && Math.min(last, span.last) - Math.max(first, span.first) >= OVERLAP,
      ),
    )
    .map(([address]) => address)
    .sort();
}
