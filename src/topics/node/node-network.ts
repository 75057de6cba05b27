import { Health } from "../../api/node/health.ts";
import { scheduled } from "../../api/node/info.ts";
import { BLS_STATES, nodeHealthOf } from "./health-messages.ts";
import { chainIds, checkedChain } from "../chain-ids.ts";
import { gauge, gauges, states, type Context } from "../define/metric.ts";
import type { Data } from "../define/needs.ts";
import { topic } from "../define/topic.ts";

const needs = { report: Health, ids: chainIds };

/** The subnets that are bootstrapping: AvalancheGo lists their IDs, and the specification leaves open whether these are of chains. */
function bootstrappingOf({ report, ids }: Data<typeof needs>, context: Context): ReadonlySet<string> | undefined {
  const { bootstrapping } = nodeHealthOf(report);
  return bootstrapping && new Set(bootstrapping.map((id) => checkedChain(context, ids, id)?.subnet ?? id));
}

export const nodeNetwork = topic(
  { id: "node-network", about: "Is the node connected, and are its requests answered?", scope: "node", needs },
  {
    sendFail: gauge(
      "avax_node_send_failure_ratio",
      "Share of messages that could not be sent (health API, check network: `sendFailRate`).",
      ({ report }) => nodeHealthOf(report).sendFailRatio,
    ),
    lastReceived: gauge(
      "avax_node_last_message_received_timestamp_seconds",
      "Time of the last message that the node received from any peer, by its own clock (health API, check network: `timestamp` less `timeSinceLastMsgReceived`).",
      ({ report }) => nodeHealthOf(report).lastReceivedAt,
    ),
    lastSent: gauge(
      "avax_node_last_message_sent_timestamp_seconds",
      "Time of the last message that the node sent to any peer, by its own clock (health API, check network: `timestamp` less `timeSinceLastMsgSent`).",
      ({ report }) => nodeHealthOf(report).lastSentAt,
    ),
    ingress: gauge(
      "avax_node_ingress_connections",
      "Inbound connections from other nodes to this validator; available ten minutes after its start (health API, check network: `ingressConnectionCount`).",
      ({ report }) => nodeHealthOf(report).ingressConnections,
    ),
    outstanding: gauge(
      "avax_node_outstanding_requests",
      "Unanswered requests to peers (health API, check router: `outstandingRequests`).",
      ({ report }) => nodeHealthOf(report).outstandingRequests,
    ),
    longestRequest: gauge(
      "avax_node_longest_running_request_seconds",
      "Age of the oldest unanswered request to a peer (health API, check router: `longestRunningRequest`).",
      ({ report }) => nodeHealthOf(report).longestRequest,
    ),
    bootstrapping: gauge(
      "avax_node_bootstrapping_subnets",
      "Subnets whose chains are still bootstrapping on this node (health API, check bootstrapped: length of `message`).",
      (data, context) => bootstrappingOf(data, context)?.size,
    ),
    subnetBootstrapping: gauges(
      "avax_subnet_bootstrapping",
      "1 while a chain of this configured subnet is bootstrapping on this node (health API, check bootstrapped: `message`).",
      ["subnet"],
      (data, context) => {
        const found = bootstrappingOf(data, context);
        return found === undefined ? [] : context.subnets.map(({ id }) => [{ subnet: id }, found.has(id)]);
      },
    ),
    localUpgrade: gauge(
      "avax_node_upgrade_local_timestamp_seconds",
      "Time of the next upgrade in this node's schedule; absent without one (health API, check futureupgrade: `localUpgradeTime`).",
      ({ report }) => scheduled(nodeHealthOf(report).localUpgradeTime),
    ),
    modeUpgrade: gauge(
      "avax_node_upgrade_mode_timestamp_seconds",
      "Upgrade time that most stake announces, as observed by this node; absent while that is not a date (health API, check futureupgrade: `modeUpgradeTime`).",
      ({ report }) => scheduled(nodeHealthOf(report).modeUpgradeTime),
    ),
    modeRatio: gauge(
      "avax_node_upgrade_mode_stake_ratio",
      "Share of stake behind the most announced upgrade time, as observed by this node (health API, check futureupgrade: `modeUpgradeWeightPercentage`).",
      ({ report }) => nodeHealthOf(report).modeUpgradeRatio,
    ),
    bls: states(
      "avax_node_bls_state",
      "State of the node's BLS key against the validator set (health API, check bls).",
      ["state"],
      BLS_STATES,
      ({ report }) => {
        const state = nodeHealthOf(report).bls;
        return state === undefined ? [] : [[{}, state]];
      },
    ),
  },
);
