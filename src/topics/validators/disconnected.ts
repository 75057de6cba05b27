import { Health } from "../../api/node/health.ts";
import { Validators, WatchedValidators } from "../../api/node/platform.ts";
import { chainIds } from "../chain-ids.ts";
import { gauges, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";
import { reachableStake } from "../node/reachable-stake.ts";
import { isWitness, SAVED_SIGHTS, sightsAfter, type Sights, type Testimony } from "../node/sights.ts";

const needs = { reach: Reaches, report: Health, ids: chainIds, sets: Validators, watched: WatchedValidators };
type Members = ComparedData<typeof needs>["members"];

/** For the operator whose validator has lost its peers, which the validator itself need not notice. */
export const disconnected = comparingTopic(
  {
    id: "disconnected",
    about: "Which watched validators is no polled node connected to?",
    needs,
    start: (): Sights => new Map(),
    compare: (before: Sights, { members }: ComparedData<typeof needs>, context: Context): Sights =>
      sightsAfter(before, testimonies(members), members, context),
    saved: SAVED_SIGHTS,
  },
  {
    observers: gauges(
      "avax_validator_disconnected_observers",
      "Other polled nodes that observe a watched validator, while all of them report it as disconnected, else 0; one of several that could report it does not count, and nodes that are cut off do not count, and it is 0 while the validator's own polled node is down, and for ten minutes after, unless it was disconnected for ten minutes before; absent without such a node (platform.getCurrentValidators with nodeIDs, `connected`; the exporter's own record).",
      ["subnet", "node_id"],
      ({ state }) =>
        [...state.values()].map(({ subnet, nodeId, witnesses, alone, since }) => [
          { subnet, node_id: nodeId },
          since === undefined || alone !== undefined ? 0 : witnesses,
        ]),
    ),
    alone: gauges(
      "avax_validator_disconnected_by_one",
      "1 while one polled node alone, the observer, reports a watched validator as disconnected, and several others report nothing of it; absent otherwise (platform.getCurrentValidators with nodeIDs, `connected`).",
      ["subnet", "node_id", "observer"],
      ({ state }) =>
        [...state.values()].flatMap(({ subnet, nodeId, alone, since }) =>
          since === undefined || alone === undefined
            ? []
            : [[{ subnet, node_id: nodeId, observer: alone }, 1] as const],
        ),
    ),
  },
);

/** What the polled nodes report of the validators that they observe. Those of L1s are judged by the peers that track the L1. */
function testimonies(members: Members): readonly Testimony[] {
  const reachable = reachableStake(members);
  const said: Array<Pick<Testimony, "subnet" | "nodeId" | "isSeen"> & { readonly by: string }> = [];
  // A node's record of itself, which is no observation, is recognized by its ID.
  const able = members.filter((each) => each.facts.nodeId !== undefined && isWitness(each, reachable));
  for (const member of able) {
    const { nodeId: own, watch, node: by } = member.facts;
    const { watched } = member.answers;
    const isObserved = new Set(watch);
    for (const [subnet, { value }] of watched ?? [])
      for (const { nodeID: nodeId, validationID, connected: isSeen } of value.validators)
        if (validationID === undefined && isSeen !== undefined && nodeId !== own && isObserved.has(nodeId))
          said.push({ subnet, nodeId, isSeen, by });
  }
  const ableById = Map.groupBy(able, ({ facts }) => facts.nodeId);
  const byValidator = Map.groupBy(said, ({ subnet, nodeId }) => `${subnet} ${nodeId}`);
  return [...byValidator.values()].flatMap((all) =>
    all.slice(0, 1).map(({ by, ...each }) => {
      const others = able.length - (ableById.get(each.nodeId)?.length ?? 0);
      const alone = all.length === 1 && others > 2 ? by : undefined;
      return { ...each, witnesses: all.length, alone, isSeen: all.some(({ isSeen }) => isSeen) };
    }),
  );
}
