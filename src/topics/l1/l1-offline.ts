import { Peers } from "../../api/node/info.ts";
import { Validators } from "../../api/node/platform.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { isActive } from "../stake.ts";

const needs = { sets: Validators, peers: Peers };
type Members = ComparedData<typeof needs>["members"];
/** By L1: whether each watched member is offline, by node ID, and how many others are. */
type Offline = { readonly watched: ReadonlyMap<string, boolean>; readonly others: number };
type State = ReadonlyMap<string, Offline>;

const SOURCE =
  "(info.peers, `nodeID`, `trackedSubnets`, of the polled nodes that serve the L1; platform.getCurrentValidators, `balance`)";

/** For the operator of an L1 validator, whose own node can report itself well while no other one is connected to it. */
export const l1Offline = comparingTopic(
  {
    id: "l1-offline",
    about: "Which validators of each configured L1 is no polled node connected to?",
    needs,
    start: (): State => new Map(),
    compare: (_state: State, { members }: ComparedData<typeof needs>, { networkSubnets, watchNetwork }): State =>
      new Map(
        networkSubnets.flatMap((subnet) => {
          const offline = offlineOf(subnet, members, new Set(watchNetwork));
          return offline === undefined ? [] : [[subnet, offline]];
        }),
      ),
  },
  {
    offline: gauges(
      "avax_l1_validator_offline",
      `1 while no other polled node that serves the L1 is connected to a watched validator which tracks it, 0 while one is; absent without balance and without another node ${SOURCE}.`,
      ["subnet", "node_id"],
      ({ state }) =>
        [...state].flatMap(([subnet, { watched }]) =>
          [...watched].map(([nodeId, is]) => [{ subnet, node_id: nodeId }, is] as const),
        ),
    ),
    others: gauges(
      "avax_l1_offline_validators",
      `Active validators of the L1, watched ones left out, that no polled node which serves the L1 is connected to ${SOURCE}.`,
      ["subnet"],
      ({ state }) => [...state].map(([subnet, { others }]) => [{ subnet }, others]),
    ),
  },
);

function offlineOf(subnet: string, members: Members, watchedIds: ReadonlySet<string>): Offline | undefined {
  // A node that does not serve the L1 keeps no connection to validators of the L1 alone; one without peers observes nothing.
  const observers = members.filter(
    ({ facts, answers: { peers } }) =>
      peers !== undefined && peers.value.peers.length > 0 && facts.subnets.some(({ id }) => id === subnet),
  );
  const set = members.find(({ answers }) => answers.sets?.has(subnet))?.answers.sets?.get(subnet)?.value;
  if (set === undefined || observers.length === 0) return undefined;
  const connected = new Set<string>();
  for (const { answers } of observers)
    for (const { nodeID, trackedSubnets } of answers.peers?.value.peers ?? [])
      // A peer whose subnets are unknown is not offline.
      if (trackedSubnets?.includes(subnet) !== false) connected.add(nodeID);
  const active = set.validators.filter((each) => each.validationID !== undefined && isActive(each));
  const seen = [...new Set(active.map(({ nodeID }) => nodeID))].filter((id) =>
    observers.some(({ facts }) => facts.nodeId !== id),
  );
  return {
    watched: new Map(seen.filter((id) => watchedIds.has(id)).map((id) => [id, !connected.has(id)])),
    others: seen.filter((id) => !watchedIds.has(id) && !connected.has(id)).length,
  };
}
