import { PRIMARY, type Validator } from "../../api/node/platform.ts";
import type { TargetFacts } from "../../api/endpoint.ts";
import type { ConnectedPeers } from "../../api/peer.ts";
import type { ValidatorSets } from "../stakes.ts";
import { watched } from "./members.ts";
import { observationOf, uptimeByPeers } from "./observation.ts";
import { heliconOf, requirementOf } from "./validator-requirement.ts";
import { periodOf, type StakingPeriod } from "./staking-period.ts";

/** What a polled node answered about the validators that it watches. */
export type ObserverAnswers = {
  readonly answers: ValidatorSets;
  readonly upgrades: ReadonlyMap<string, number> | undefined;
  readonly sets: ValidatorSets | undefined;
  readonly peers: ConnectedPeers | undefined;
};

/** The period of a watched validator as a node observes it. */
export type ObservedPeriod = {
  readonly labels: { readonly subnet: string; readonly node_id: string };
  readonly record: Validator;
  readonly period: StakingPeriod;
  /** `undefined` where there is no reward, or it is unknown. */
  readonly requirement: number | undefined;
};

/**
 * The periods that a node observes; its own, which it always reports as online, by its peers.
 * @param times of the answers about the validators and of that about the peers, Unix seconds
 */
export function observedPeriods(
  data: ObserverAnswers,
  { nodeId, subnets, watch }: Pick<TargetFacts, "nodeId" | "subnets" | "watch">,
  times: { readonly answers: number; readonly peers: number },
): readonly ObservedPeriod[] {
  // Without the node's ID its own record, which is not an observation, cannot be recognized.
  if (nodeId === undefined) return [];
  const helicon = heliconOf(data.upgrades);
  // A server can ignore `nodeIDs`, and the watch list can have changed since the answer.
  return watched(data.answers, watch).flatMap(([labels, record]): readonly ObservedPeriod[] => {
    const { startTime: start, endTime: end } = record;
    const { subnet } = labels;
    const isOwn = record.nodeID === nodeId;
    const at = isOwn ? times.peers : times.answers;
    const uptime = isOwn ? ownUptime(data, subnet, nodeId) : record.uptime;
    if (uptime === undefined || start === undefined || end === undefined) return [];
    const requirement = data.upgrades === undefined ? undefined : requirementOf(record, subnet, helicon, subnets);
    return [{ labels, record, period: periodOf({ start, end, at, uptime }), requirement }];
  });
}

/**
 * The node's own uptime as the network observes it. The average of `info.uptime` is no substitute: it counts validators that
 * are not connected as 0, so it would blame a node for the outage of others.
 */
function ownUptime(data: ObserverAnswers, subnet: string, nodeId: string): number | undefined {
  return subnet === PRIMARY ? uptimeByPeers(observationOf(data, nodeId)) : undefined;
}
