import { Health } from "../../api/node/health.ts";
import { Peers } from "../../api/node/info.ts";
import { Validators } from "../../api/node/platform.ts";
import { chainIds } from "../chain-ids.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";
import { reachableStake } from "../node/reachable-stake.ts";
import { isMissed, isWitness, SAVED_SIGHTS, sightsAfter, type Sights, type Testimony } from "../node/sights.ts";
import { isConnected } from "./is-connected.ts";
import { isActive } from "../stakes.ts";

const needs = { reach: Reaches, report: Health, ids: chainIds, sets: Validators, peers: Peers };
type Members = ComparedData<typeof needs>["members"];
type State = {
  /** Of watched validators. */
  readonly watched: Sights;
  /** By L1, how many others are offline. */
  readonly others: ReadonlyMap<string, number>;
};

const SOURCE =
  "(info.peers, `nodeID`, `trackedSubnets`, of the polled nodes that serve the L1; platform.getCurrentValidators, `balance`, `connected`; the exporter's own record)";

/** For the operator of an L1 validator, whose own node can report itself well while no other one is connected to it. */
export const l1Offline = comparingTopic(
  {
    id: "l1-offline",
    about: "Which validators of each configured L1 is no polled node connected to?",
    needs,
    start: (): State => ({ watched: new Map(), others: new Map() }),
    compare(before: State, { members }: ComparedData<typeof needs>, context): State {
      const watched = new Set(context.watchNetwork);
      const all = testimonies(members, context.networkSubnets);
      const ofWatched = all.filter(({ nodeId }) => watched.has(nodeId));
      const others = Map.groupBy(all, ({ subnet }) => subnet);
      return {
        watched: sightsAfter(before.watched, ofWatched, members, context),
        others: new Map(
          [...others].map(([subnet, each]) => [
            subnet,
            each.filter(({ nodeId, isSeen }) => !watched.has(nodeId) && !isSeen).length,
          ]),
        ),
      };
    },
    saved: {
      save: ({ watched }: State) => SAVED_SIGHTS.save(watched),
      restore: (text: unknown): State => ({ watched: SAVED_SIGHTS.restore(text), others: new Map() }),
    },
  },
  {
    offline: gauges(
      "avax_l1_validator_offline",
      `1 while no other polled node that serves the L1 is connected to a watched validator which tracks it, 0 while one is, and while the validator's own polled node is down, and for ten minutes after, unless it was offline for ten minutes before; absent without balance and without another node that is not cut off ${SOURCE}.`,
      ["subnet", "node_id"],
      ({ state }) =>
        [...state.watched.values()].map((each) => [{ subnet: each.subnet, node_id: each.nodeId }, isMissed(each)]),
    ),
    others: gauges(
      "avax_l1_offline_validators",
      `Active validators of the L1, watched ones left out, that no polled node which serves the L1 is connected to ${SOURCE}.`,
      ["subnet"],
      ({ state }) => [...state.others].map(([subnet, count]) => [{ subnet }, count]),
    ),
  },
);

/** What the polled nodes that serve an L1 report of its active validators. */
function testimonies(members: Members, subnets: readonly string[]): readonly Testimony[] {
  const reachable = reachableStake(members);
  // One without peers observes nothing.
  const observers = members.filter(
    (member) => isWitness(member, reachable) && (member.answers.peers?.value.peers.length ?? 0) > 0,
  );
  return subnets.flatMap((subnet) => {
    const set = members.find(({ answers }) => answers.sets?.has(subnet))?.answers.sets?.get(subnet)?.value;
    // A node that does not serve the L1 keeps no connection to validators of the L1 alone.
    const serving = observers.filter(({ facts }) => facts.subnets.some(({ id }) => id === subnet));
    const active = (set?.validators ?? []).filter((each) => each.validationID !== undefined && isActive(each));
    const byId = new Map(active.map((each) => [each.nodeID, each]));
    return [...byId].flatMap(([nodeId, validator]): readonly Testimony[] => {
      const witnesses = serving.filter(({ facts }) => facts.nodeId !== nodeId);
      // Where it is unknown it is not offline.
      const isSeen = witnesses.some((witness) => isConnected(witness, subnet, validator) !== false);
      return witnesses.length === 0 ? [] : [{ subnet, nodeId, witnesses: witnesses.length, isSeen }];
    });
  });
}
