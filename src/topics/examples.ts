import type { Answer } from "../api/endpoint.ts";
import type { Peer } from "../api/peer.ts";
import { PRIMARY, type Validator } from "../api/node/platform.ts";

/** Answers for the examples of formulas: fields that an example does not mention have values without effect. */

type ExamplePeers = { numPeers: number; peers: Peer[] };
type ExampleSets = ReadonlyMap<string, { validators: Validator[] }>;

/** The peers of a node. @param fields fields of each peer, by node ID */
export function examplePeers(fields: Readonly<Record<string, Partial<Peer>>>): ExamplePeers {
  const peers = Object.entries(fields).map(([nodeID, more]): Peer => ({
    nodeID,
    version: "",
    lastSent: undefined,
    lastReceived: undefined,
    observedUptime: undefined,
    trackedSubnets: [],
    benched: [],
    upgradeTime: undefined,
    ...more,
  }));
  return { numPeers: peers.length, peers };
}

/** The validator set of the Primary Network. @param stakes nAVAX by node ID */
export function exampleSet(stakes: Readonly<Record<string, bigint>>, more: Partial<Validator> = {}): ExampleSets {
  const validators = Object.entries(stakes).map(([nodeID, weight]) => ({ nodeID, weight, startTime: 0, ...more }));
  return new Map([[PRIMARY, { validators }]]);
}

/** The validator set of an L1 with the ID `S`. @param members node ID, weight and balance in AVAX */
export function exampleL1(
  ...members: ReadonlyArray<readonly [nodeID: string, weight: bigint, balance: number]>
): ExampleSets {
  const validators = members.map(([nodeID, weight, balance]) => ({
    nodeID,
    weight,
    startTime: 0,
    validationID: `validation-${nodeID}`,
    balance,
  }));
  return new Map([["S", { validators }]]);
}

/** An answer as input of a comparison of nodes. Times are Unix seconds. */
export function exampleAnswer<A>(value: A, askedAt = 0, answeredAt = askedAt): Answer<A> {
  return { value, askedAt, answeredAt };
}

/** The answers of a keyed endpoint as input of a comparison of nodes. */
export function exampleAnswers<A>(values: ReadonlyMap<string, A>): ReadonlyMap<string, Answer<A>> {
  return new Map([...values].map(([key, value]) => [key, exampleAnswer(value)]));
}
