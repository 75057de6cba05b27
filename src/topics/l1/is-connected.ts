import type { Answer, TargetFacts } from "../../api/endpoint.ts";
import { PRIMARY, type Validator } from "../../api/node/platform.ts";
import type { ConnectedPeers, Peer } from "../../api/peer.ts";
import { perAnswer } from "../per-answer.ts";

/** A polled node with its peers. */
type Member = {
  readonly facts: Pick<TargetFacts, "nodeId">;
  readonly answers: { readonly peers: Answer<ConnectedPeers> | undefined };
};

const peersById = perAnswer((peers: readonly Peer[]) => new Map(peers.map((peer) => [peer.nodeID, peer])));

/**
 * Whether a node is connected to a validator that tracks the subnet. Where its peers leave that open, because a peer does not say what it
 * tracks or because the node without an ID can be the validator itself, the validator's own record decides; `undefined` without either.
 */
export function isConnected({ facts, answers }: Member, subnet: string, validator: Validator): boolean | undefined {
  const { nodeID, connected } = validator;
  if (answers.peers === undefined) return undefined;
  // A node is connected to itself.
  if (nodeID === facts.nodeId) return true;
  const peer = peersById(answers.peers.value.peers).get(nodeID);
  if (peer === undefined) return facts.nodeId === undefined ? connected : false;
  if (subnet === PRIMARY) return true;
  return peer.trackedSubnets === undefined ? connected : peer.trackedSubnets.includes(subnet);
}
