import { Peers } from "../../api/node/info.ts";
import { DUPLICATED_VALIDATOR, REPLACED } from "../define/causes.ts";
import { gauges, infos, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";
import { isDown } from "./reachable-stake.ts";

const needs = { reach: Reaches, peers: Peers };
type Members = ComparedData<typeof needs>["members"];

/** When an address was reported first and last. Unix seconds. */
type Span = { readonly first: number; readonly last: number };
/** The other polled nodes that answer with the ID of a node. Their names do not change while there are any, and stay for a while after. */
type Sharing = {
  readonly node: string;
  readonly others: string;
  readonly isShared: boolean;
  readonly endedAt?: number;
};

type State = {
  readonly sharing: readonly Sharing[];
  /** By node ID, its addresses while it has several in turn. */
  readonly several: ReadonlyMap<string, string>;
  /** By node ID, then by address. */
  readonly spans: ReadonlyMap<string, ReadonlyMap<string, Span>>;
  /** By polled node, the time of the last answer that was read. */
  readonly read: ReadonlyMap<string, number>;
};

/** After a move, peers report the earlier address for less than this. Seconds. */
const OVERLAP = 180;
/** Seconds after which an address is forgotten. */
const KEPT = 1800;
/** The series of a page that is over has its last sample in this time: Prometheus bridges six minutes. Seconds. */
const ENDING = 600;
/** Addresses of one validator that are named. */
const MOST_NAMED = 3;

/** For the operator whose migration left the old machine running: peers split between both, and each seems cut off. */
export const nodeIdShared = comparingTopic(
  {
    id: "node-id-shared",
    about: "Do two machines run with one node ID?",
    needs,
    start: (): State => ({ sharing: [], several: new Map(), spans: new Map(), read: new Map() }),
    compare(state: State, { members }: ComparedData<typeof needs>, { watchNetwork, time }: Context): State {
      const { spans, read } = followed(state, members, new Set(watchNetwork), time);
      return {
        sharing: sharingAfter(state.sharing, members, time),
        several: severalAfter(state.several, spans),
        spans,
        read,
      };
    },
  },
  {
    shared: gauges(
      "avax_node_id_shared",
      "1 while another polled node answers with the node ID of this one, which can be right of one machine only; `others` are the names of these nodes, and do not change while it is 1 (info.getNodeID, `nodeID`; the exporter's own record: both answer).",
      ["node", "others"],
      ({ state }) => state.sharing.map(({ node, others, isShared }) => [{ node, others }, isShared]),
    ),
    addresses: infos(
      "avax_validator_addresses_info",
      "1 while a watched validator is connected from several addresses in turn or at once: peers of the polled nodes reported each of them at least 3 minutes after the other one appeared, the last time within 30 minutes; `addresses` are the first ones (info.peers, `publicIP`).",
      ["node_id", "addresses"],
      ({ state }) => [...state.several].map(([nodeId, addresses]) => ({ node_id: nodeId, addresses })),
    ),
  },
  ({ shared, addresses }) => ({
    AvaxNodeIdDuplicated: {
      severity: "critical",
      when: { of: shared, equals: 1 },
      labels: ["node", "network", "others"],
      for: "2m",
      impact: "Peers split between the machines: neither is connected to enough stake, and the validator is offline.",
      explainedBy: [REPLACED],
      summary: "{{ $labels.node }}, {{ $labels.others }} share a node ID: stop one",
      over: "has its node ID for itself",
      description: "A peer connects to one of them only.",
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
      falsePositives: "One node is configured under two names: remove one of them.",
    },
    AvaxValidatorAddressChanging: {
      severity: "warning",
      when: { of: addresses, equals: 1 },
      labels: ["network", "node_id", "addresses"],
      for: "5m",
      explainedBy: [DUPLICATED_VALIDATOR],
      over: "has one address",
      summary: "{{ or $labels.name $labels.node_id }} has several addresses in turn: a second machine?",
      description: "Peers report {{ $labels.addresses }}.",
      meaning:
        "A validator advertises one address, signed with its key. Several in turn mean two machines with the same staking keys. Peers split between them, and the uptime of the validator falls.",
      confirm: "`publicIP` of the validator in `info.peers` of several nodes, several times.",
      commands: {
        [`call <any-node> info.peers '{"nodeIDs": ["<node_id>"]}'`]:
          "`publicIP` differs between the polled nodes, or between two calls some minutes apart.",
      },
      action: "Find the machine at the second address and stop it. With one machine: fix its `--public-ip`.",
      falsePositives:
        "A migration was taken back within half an hour, or the address of one machine changes to and fro.",
    },
  }),
);

/** Whether each polled node shares its ID; none of a node about which, or about whose fellows, it is not known whether they answer. */
function sharingAfter(before: readonly Sharing[], members: Members, now: number): readonly Sharing[] {
  const last = new Map(before.map((each) => [each.node, each]));
  const byId = Map.groupBy(members, ({ facts }) => facts.nodeId);
  return members.flatMap((member): readonly Sharing[] => {
    const { node, nodeId } = member.facts;
    const known = last.get(node);
    const fellows = nodeId === undefined ? [] : (byId.get(nodeId) ?? []).filter((each) => each !== member);
    const answering = isAnswering(member) ? fellows.filter(isAnswering) : [];
    if (answering.length > 0) {
      const others = answering
        .map(({ facts }) => facts.node)
        .sort()
        .join(", ");
      return [{ node, others: known?.isShared === true ? known.others : others, isShared: true }];
    }
    if ([member, ...fellows].some((each) => !isAnswering(each) && !isDown(each)))
      return known === undefined ? [] : [known];
    const endedAt = known?.isShared === true ? now : known?.endedAt;
    const isEnding = endedAt !== undefined && now - endedAt < ENDING;
    return [{ node, others: isEnding ? (known?.others ?? "") : "", isShared: false, ...(isEnding ? { endedAt } : {}) }];
  });
}

const isAnswering = ({ answers: { reach } }: Members[number]): boolean => reach?.value.up === true;

/** The addresses of validators with several; what was named first stays, as a label of an alert must not change. */
function severalAfter(before: State["several"], spans: State["spans"]): State["several"] {
  return new Map(
    [...spans].flatMap(([nodeId, ofNode]) => {
      const found = overlapping(ofNode);
      return found.length === 0 ? [] : [[nodeId, before.get(nodeId) ?? found.slice(0, MOST_NAMED).join(", ")] as const];
    }),
  );
}

/** Adds the addresses of watched validators in new answers. A node of a thousand reads each answer once. */
function followed(
  state: Pick<State, "spans" | "read">,
  members: Members,
  watched: ReadonlySet<string>,
  now: number,
): Pick<State, "spans" | "read"> {
  const read = new Map<string, number>();
  const next = new Map([...state.spans].map(([nodeId, spans]) => [nodeId, new Map(spans)] as const));
  for (const { facts, answers } of members) {
    if (answers.peers === undefined) continue;
    const { value, answeredAt } = answers.peers;
    read.set(facts.node, answeredAt);
    if (state.read.get(facts.node) === answeredAt) continue;
    for (const { nodeID, publicIP } of value.peers) {
      if (publicIP === undefined || nodeID === facts.nodeId || !watched.has(nodeID)) continue;
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
