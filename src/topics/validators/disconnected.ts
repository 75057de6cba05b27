import { Health } from "../../api/node/health.ts";
import { Validators, WatchedValidators } from "../../api/node/platform.ts";
import { chainIds } from "../checked-chains.ts";
import { gauges, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { Reaches } from "../reach-record.ts";
import { reachableStake } from "../node/cut-off.ts";
import { isWitness, SAVED_SIGHTS, sightsAfter, type Sights, type Testimony } from "../node/witness.ts";

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
      "Other polled nodes that observe a watched validator, while all of them report it as disconnected, else 0; nodes that are cut off do not count, and it is 0 while the validator's own polled node is down, and for ten minutes after, unless it was disconnected for ten minutes before; absent without such a node (platform.getCurrentValidators with nodeIDs, `connected`; the exporter's own record).",
      ["subnet", "node_id"],
      ({ state }) =>
        [...state.values()].map(({ subnet, nodeId, witnesses, since }) => [
          { subnet, node_id: nodeId },
          since === undefined ? 0 : witnesses,
        ]),
    ),
  },
);

/** What the polled nodes report of the validators that they observe. Those of L1s are judged by the peers that track the L1. */
function testimonies(members: Members): readonly Testimony[] {
  const reachable = reachableStake(members);
  const said: Array<Pick<Testimony, "subnet" | "nodeId" | "isSeen">> = [];
  for (const member of members) {
    const { nodeId: own, watch } = member.facts;
    const { watched } = member.answers;
    // A node's record of itself, which is no observation, is recognized by its ID.
    if (own === undefined || watched === undefined || !isWitness(member, reachable)) continue;
    const isObserved = new Set(watch);
    for (const [subnet, { value }] of watched)
      for (const { nodeID: nodeId, validationID, connected: isSeen } of value.validators)
        if (validationID === undefined && isSeen !== undefined && nodeId !== own && isObserved.has(nodeId))
          said.push({ subnet, nodeId, isSeen });
  }
  const byValidator = Map.groupBy(said, ({ subnet, nodeId }) => `${subnet} ${nodeId}`);
  return [...byValidator.values()].flatMap((all) =>
    all.slice(0, 1).map((each) => ({ ...each, witnesses: all.length, isSeen: all.some(({ isSeen }) => isSeen) })),
  );
}
