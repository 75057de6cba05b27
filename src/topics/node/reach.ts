import { z } from "zod";
import { Health } from "../../api/node/health.ts";
import { Peers } from "../../api/node/info.ts";
import { Validators, WatchedValidators } from "../../api/node/platform.ts";
import { chainIds } from "../chain-ids.ts";
import { gauge, infos, perRow, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { loopOutages, Reaches } from "../reach.ts";
import { CUT_OFF_RATIO, isDown, reachableStake } from "./reachable-stake.ts";
import { awaySince, isWitness } from "./sights.ts";

const needs = {
  reach: Reaches,
  report: Health,
  ids: chainIds,
  peers: Peers,
  watched: WatchedValidators,
  sets: Validators,
};
type Members = ComparedData<typeof needs>["members"];
type Member = Members[number];

/** `unseen`: it can be a validator, and no other polled node is connected to it. */
export const OUTAGES = ["unseen", "seen", "not_validating"] as const;
type OutageKind = (typeof OUTAGES)[number];

/** What is known of a node. */
type Known = {
  readonly node: string;
  readonly nodeId: string | undefined;
  /** Whether its ID is in a watched set of its network; the last answer where there is none now, `undefined` without any. */
  readonly validates: boolean | undefined;
  /** `undefined` while nothing is known about whether it answers; "none" while it does. */
  readonly outage: OutageKind | "none" | undefined;
  readonly isRestarting: boolean;
  readonly loop: number;
  /** Stake within reach of a validator; of one that is down the last figure. */
  readonly reachable: number | undefined;
  /** The node that answers with its ID while it does not. */
  readonly standby: string | undefined;
};

type State = {
  readonly nodes: readonly Known[];
  /** While the exporter reaches none of several nodes: when it reached one again, if it did. */
  readonly blind: { readonly reachedAt: number | undefined } | undefined;
};

/** After the first node answers, the others have been asked again within this time. Seconds. */
const ASKED_AGAIN = 30;

const NOTHING: State = { nodes: [], blind: undefined };

const saved = z.array(
  z.object({
    node: z.string(),
    nodeId: z.string().optional(),
    validates: z.boolean().optional(),
    wasSeen: z.boolean().optional(),
    reachable: z.number().optional(),
  }),
);

const ofNode = perRow({
  labels: ["node", "node_id"],
  of: ({ state }: { readonly state: State }) =>
    state.nodes.map((node) => [{ node: node.node, node_id: node.nodeId ?? "" }, node] as const),
});

export const reach = comparingTopic(
  {
    id: "reach",
    about: "Does each node answer, and where it does not: is its validator seen by others, and does it come and go?",
    across: true,
    needs,
    start: () => NOTHING,
    compare: (before: State, { members }: ComparedData<typeof needs>, { time }: Context): State => ({
      nodes: nodesAfter(before, members, time),
      blind: blindAfter(before.blind, members, time),
    }),
    saved: {
      save: ({ nodes }: State) =>
        nodes
          .filter(({ validates, reachable }) => validates !== undefined || reachable !== undefined)
          .map(({ node, nodeId, validates, outage, reachable }) => ({
            ...{ node, nodeId, validates },
            ...(outage === "seen" ? { wasSeen: true } : {}),
            // A figure that moves with each answer would be written with each.
            ...(reachable !== undefined && reachable < CUT_OFF_RATIO ? { reachable } : {}),
          })),
      restore: (text: unknown): State => ({
        ...NOTHING,
        nodes: saved
          .parse(text)
          .map(({ node, nodeId, validates, wasSeen, reachable }) => ({
            ...{ node, nodeId, validates, reachable, isRestarting: false, loop: 0, standby: undefined },
            outage: wasSeen === true ? "seen" : undefined,
          })),
      }),
    },
  },
  {
    outage: ofNode.gauges(
      "avax_node_outage",
      "1 while the node does not answer: `unseen`, no other polled node is connected to it, and it is or can be a validator; `seen`, another one is connected to it; `not_validating`, its ID is in no set that is read. A node about which nothing is known counts as a validator (the exporter's own record; info.peers, `nodeID`; platform.getCurrentValidators, `nodeID`, `connected`).",
      ["outage"],
      ({ outage }) => (outage === undefined ? [] : OUTAGES.map((kind) => [{ outage: kind }, kind === outage] as const)),
    ),
    restarting: ofNode.gauge(
      "avax_node_restarting",
      "1 while the node does not answer, and for ten minutes after it answers again; what fails then follows from it (the exporter's own record).",
      ({ outage, isRestarting }) => (outage === undefined ? undefined : isRestarting),
    ),
    loop: ofNode.gauge(
      "avax_node_crash_loop_outages",
      "Times that the node stopped answering within an hour, none more than half an hour after it had answered again; 0 once it has answered for half an hour (the exporter's own record).",
      ({ outage, loop }) => (outage === undefined ? undefined : loop),
    ),
    reachable: ofNode.gauge(
      "avax_node_reachable_stake_ratio",
      `Share of the Primary Network's stake within reach of a polled validator: what it is connected to, with that of polled nodes that are down; below ${CUT_OFF_RATIO} it is cut off. Of one that does not answer the last figure (health API, check of the P-Chain, \`percentConnected\`; platform.getCurrentValidators, \`weight\`).`,
      ({ reachable, validates }) => (validates === true ? reachable : undefined),
    ),
    takenOver: infos(
      "avax_node_taken_over_info",
      "1 while the node does not answer and another polled one, `by`, answers with its node ID: a standby has taken over (the exporter's own record; header `node-id` of every answer).",
      ["node", "by"],
      ({ state }) => state.nodes.flatMap(({ node, standby }) => (standby === undefined ? [] : [{ node, by: standby }])),
    ),
    allDown: gauge(
      "avax_nodes_all_down",
      "1 while none of the exporter's nodes answers, and until all were asked again after one did; absent with one node alone (the exporter's own record).",
      ({ members, state }) => (members.length < 2 ? undefined : state.blind !== undefined),
    ),
  },
);

function nodesAfter(before: State, members: Members, now: number): readonly Known[] {
  const last = new Map(before.nodes.map((each) => [each.node, each]));
  const reachable = reachableStake(members);
  return members.map((member): Known => {
    const { node, nodeId } = member.facts;
    const known = last.get(node);
    const same = known?.nodeId === nodeId ? known : undefined;
    const validates = validatesNow(member) ?? same?.validates;
    const record = member.answers.reach?.value;
    const down = isDown(member);
    const standby = down ? standbyOf(member, members)?.facts.node : undefined;
    return {
      ...{ node, nodeId, validates },
      outage: down
        ? outageOf(member, { validates, before: same?.outage }, members, reachable)
        : record?.up === true
          ? "none"
          : undefined,
      isRestarting: awaySince(member, now) !== undefined,
      loop: record === undefined ? 0 : loopOutages(record, now).length,
      reachable: down ? (same?.reachable ?? reachable.get(node)) : reachable.get(node),
      standby,
    };
  });
}

/** Whether the node's ID is in a set of its network; `undefined` where its ID or the sets are unknown. */
function validatesNow({ facts: { nodeId }, answers: { sets } }: Member): boolean | undefined {
  if (nodeId === undefined || sets === undefined) return undefined;
  return [...sets.values()].some(({ value }) => value.validators.some((validator) => validator.nodeID === nodeId));
}

function outageOf(
  member: Member,
  { validates, before }: { readonly validates: boolean | undefined; readonly before: Known["outage"] },
  members: Members,
  reachable: ReadonlyMap<string, number>,
): OutageKind {
  if (isSeen(member, members, reachable, before === "seen")) return "seen";
  return validates === false ? "not_validating" : "unseen";
}

/**
 * Whether another node is connected to a node that does not answer.
 * @param reachable share of stake within reach of each node
 * @param before whether one was when it was last looked at
 */
export function isSeen(
  member: Member,
  members: Members,
  reachable: ReadonlyMap<string, number>,
  before: boolean,
): boolean {
  if (standbyOf(member, members) !== undefined) return true;
  const witnesses = members.filter((other) => isNeighbour(other, member) && isWitness(other, reachable));
  if (witnesses.some((other) => isConnected(other, member))) return true;
  // After a start of the exporter the others are asked first: until then they have seen it, if they had before.
  return before && members.some((other) => isNeighbour(other, member) && isUnheard(other));
}

/** The node that answers with the ID of this one. */
const standbyOf = ({ facts }: Member, members: Members): Member | undefined =>
  facts.nodeId === undefined
    ? undefined
    : members.find(
        (other) =>
          other.facts.node !== facts.node &&
          other.facts.nodeId === facts.nodeId &&
          other.answers.reach?.value.up === true,
      );

/** Whether another node of the network, with an ID of its own. */
function isNeighbour({ facts }: Member, { facts: { network, node, nodeId } }: Member): boolean {
  return facts.network !== undefined && facts.network === network && facts.node !== node && facts.nodeId !== nodeId;
}

function isUnheard({ answers: { reach: record, peers, watched } }: Member): boolean {
  const up = record?.value.up;
  return up === undefined || (up && peers === undefined && watched === undefined);
}

/** What the validator records of another node say, else its list of peers. */
function isConnected({ answers }: Member, { facts: { nodeId } }: Member): boolean {
  if (nodeId === undefined) return false;
  const records = [...(answers.watched?.values() ?? [])].flatMap(({ value }) =>
    value.validators.filter((validator) => validator.nodeID === nodeId),
  );
  const said = records.flatMap(({ connected }) => connected ?? []);
  if (said.length > 0) return said.includes(true);
  return answers.peers?.value.peers.some(({ nodeID }) => nodeID === nodeId) === true;
}

function blindAfter(before: State["blind"], members: Members, now: number): State["blind"] {
  if (members.length > 1 && members.every(isDown)) return { reachedAt: undefined };
  if (before === undefined) return undefined;
  const reachedAt = before.reachedAt ?? now;
  return now - reachedAt < ASKED_AGAIN ? { reachedAt } : undefined;
}
