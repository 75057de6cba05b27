import { chainState } from "../world/chains.ts";
import { isSubnetChain, PRIMARY, type ChainName, type SubnetChain } from "../world/genesis.ts";
import { goDuration, goTime } from "../encoding/gotime.ts";
import { publicKeyOf } from "../encoding/bls.ts";
import { blockId, pairChance, ZERO_NODE_ID } from "../encoding/ids.ts";
import { keyOf } from "./info.ts";
import { CHAINS, heightOf, historyOf } from "../world/heights.ts";
import { isInactive } from "../world/l1.ts";
import {
  behaviourAt,
  disconnected,
  fullWeight,
  heldSince,
  linked,
  rosterAt,
  runsSince,
  segmentAt,
  stakeOf,
} from "../world/network.ts";
import { announcedUpgrade, peersOf, upgradeVotes } from "../world/peers.ts";
import { REQUIRED_SHARE, seatsOf } from "../world/quorum.ts";
import { freeDisk } from "../world/scenarios.ts";
import { since, type View } from "../world/wire.ts";

/** The health checks of a node, run at the view's moment. */

export type Check = {
  readonly name: string;
  /** Subnet ID of a chain check; `undefined` for checks that belong to every tag. */
  readonly tag?: string;
  readonly message?: unknown;
  readonly error?: string;
};

const failing = (error: string | undefined): { readonly error?: string } => (error === undefined ? {} : { error });

/** All checks, sorted by name. */
export function runChecks(view: View): Check[] {
  const { world } = view.network;
  const { bootstrapping, nextRelease } = behaviourAt(view.network, view.index, view.at);
  const chains = CHAINS.filter((chain) => !bootstrapping || chain === "P").map((chain): Check => {
    const subnet = world.subnets.find((candidate) => candidate.chain === chain);
    const common = { name: subnet?.chainId ?? chain, tag: subnet?.id ?? PRIMARY };
    if (chainState(view, chain) !== "missing") return { ...common, ...chainCheck(view, chain) };
    const cause = "error while creating vm: handshake failed: vm process not found";
    return { ...common, error: `failed to create chain on subnet ${common.tag}: ${cause}` };
  });
  const checks = [
    ...chains,
    bootstrapped(view),
    { name: "database" },
    ...(nextRelease ? [{ name: "gossip" }] : []),
    diskspace(view),
    networkCheck(view),
    router(view),
  ];
  if (since(view, "1.12.2")) checks.push(bls(view));
  if (since(view, "1.14.1")) checks.push(futureUpgrade(view));
  return checks.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The only readiness check. */
export function bootstrapped({ network, index, at }: View): Check {
  const { bootstrapping, pluginFailed } = behaviourAt(network, index, at);
  const missing = [
    ...(bootstrapping ? [PRIMARY] : []),
    ...(pluginFailed ? network.world.subnets.map(({ id }) => id) : []),
  ];
  return {
    name: "bootstrapped",
    message: missing.sort(),
    ...failing(missing.length > 0 ? "subnets not bootstrapped" : undefined),
  };
}

function chainCheck(view: View, chain: ChainName): Omit<Check, "name"> {
  const { network, index, at } = view;
  const { from, behaviour } = segmentAt(network, index, at);
  const height = heightOf(network, index, chain, at);
  const processingMs = chain === "C" && behaviour.chains === "stuck" ? at - from : 0;
  const processing = Math.floor(processingMs / 2000);
  const consensus = {
    ...(since(view, "1.14.2") ? { avgAcceptanceTime: chain === "C" ? goDuration(621_538_831) : "0s" } : {}),
    lastAcceptedHeight: height,
    lastAcceptedID: blockId(network.world.settings.seed, historyOf(network, index, chain, height, at), height),
    longestProcessingBlock: goDuration(processingMs * 1_000_000),
    processingBlocks: processing,
  };
  const { missing, ratio } = connectedness(view, chain);
  const engine = [
    ...(processing > 256 ? [`too many processing blocks: ${processing} > 256`] : []),
    ...(processingMs > 30_000 ? [`block processing too long: ${goDuration(processingMs * 1_000_000)} > 30s`] : []),
  ].join("\n");
  const stake =
    ratio < REQUIRED_SHARE
      ? `not connected to enough stake: connected to ${(ratio * 100).toFixed(6)}%; required at least 80.000000%`
      : "";
  const both = engine !== "" && stake !== "" ? `engine: ${engine}; networking: ${stake}` : engine + stake;
  return {
    message: {
      engine: {
        consensus: behaviour.bootstrapping ? {} : consensus,
        vm: isSubnetChain(chain) ? { database: null, health: null } : null,
      },
      networking: { ...(since(view, "1.11.11") ? { disconnectedValidators: missing } : {}), percentConnected: ratio },
    },
    ...failing(both === "" ? undefined : both),
  };
}

/** Node IDs of the validators of a chain without a connection, and the connected share of the weight (0 to 1). */
function connectedness(view: View, chain: ChainName): { readonly missing: string[]; readonly ratio: number } {
  const { network, index, at } = view;
  if (isSubnetChain(chain)) return subnetConnectedness(view, chain);
  const lost = disconnected(network, index, at);
  const { total } = rosterAt(network, at);
  const weight = lost.reduce((sum, member) => sum + fullWeight(member), 0);
  return { missing: lost.map(({ nodeId }) => nodeId).sort(), ratio: total === 0 ? 0 : (total - weight) / total };
}

function subnetConnectedness(view: View, chain: SubnetChain): { readonly missing: string[]; readonly ratio: number } {
  const { network, index, at } = view;
  const { members } = network.world;
  const seats = seatsOf(network, chain, at);
  const total = seats.reduce((sum, { weight }) => sum + weight, 0);
  // Inactive weight has the zero ID and never counts as connected.
  const lost = seats.flatMap(({ member, weight, validation }) => {
    if (validation !== undefined && isInactive(network, index, validation, at))
      return [{ nodeId: ZERO_NODE_ID, weight }];
    return linked(network, index, member, at) ? [] : [{ nodeId: members[member]?.nodeId ?? ZERO_NODE_ID, weight }];
  });
  const weight = lost.reduce((sum, seat) => sum + seat.weight, 0);
  const missing = [...new Set(lost.map(({ nodeId }) => nodeId))].sort();
  return { missing, ratio: total === 0 ? 1 : (total - weight) / total };
}

/** Free disk below which the check fails, by releases before and since 1.14.1. */
const WARNED_BYTES = 26_843_545_600;
const WARNED_PERCENT = 10;

function diskspace(view: View): Check {
  const { network, index, at } = view;
  const filledMs = at - heldSince(network, index, at, "disk");
  const { bytes, percent } = freeDisk(behaviourAt(network, index, at), filledMs);
  if (!since(view, "1.14.1")) {
    const error = `remaining available disk space (${bytes}) is below the warning threshold of disk space (${WARNED_BYTES})`;
    const message = { availableDiskBytes: bytes };
    return { name: "diskspace", message, ...failing(bytes < WARNED_BYTES ? error : undefined) };
  }
  const error = `remaining available disk space percentage (${percent}%) is below warning threshold available space percentage (${WARNED_PERCENT}%)`;
  const message = { availableDiskBytes: bytes, availableDiskPercentage: percent };
  return { name: "diskspace", message, ...failing(percent < WARNED_PERCENT ? error : undefined) };
}

const INGRESS_GRACE_MS = 600_000;

function networkCheck(view: View): Check {
  const { network, index, at } = view;
  const behaviour = behaviourAt(network, index, at);
  const connectedPeers = peersOf(view).length;
  const silenceMs = connectedPeers === 0 && behaviour.links !== "all" ? at - heldSince(network, index, at, "links") : 0;
  const recent = Math.floor(pairChance(index, at / 1000) * 999_000_000) + 1;
  const silence = goDuration(silenceMs > 0 ? silenceMs * 1_000_000 : recent);
  // A node without a peer since its start has no time of a last message.
  const noMessages = connectedPeers === 0 && behaviour.bootstrapping;
  const validator = stakeOf(network, index, at) !== undefined && !behaviour.bootstrapping;
  const ingress = behaviour.noInbound ? 0 : Math.ceil(connectedPeers * 0.6);
  const checksIngress = since(view, "1.13.0") && at - runsSince(network, index, at) >= INGRESS_GRACE_MS;
  const reasons = [
    ...(connectedPeers === 0 ? ["not connected to a minimum of 1 peer(s) only 0"] : []),
    ...(noMessages ? ["no messages received from network", "no messages sent to network"] : []),
    ...(silenceMs > 60_000 && !noMessages
      ? [`no messages from network received in ${silence} > 1m0s`, `no messages from network sent in ${silence} > 1m0s`]
      : []),
    ...(checksIngress && validator && ingress === 0 ? ["primary network validator has no inbound connections"] : []),
  ];
  const ingressHealth = { ingressConnectionCount: ingress, primaryNetworkValidator: validator };
  const message = {
    connectedPeers,
    ...(checksIngress ? { "primary network validator health": ingressHealth } : {}),
    sendFailRate: 0,
    ...(noMessages ? {} : { timeSinceLastMsgReceived: silence, timeSinceLastMsgSent: silence }),
  };
  const error = `network layer is unhealthy reason: ${reasons.join(", ")}`;
  return { name: "network", message, ...failing(reasons.length > 0 ? error : undefined) };
}

function router({ index, at }: View): Check {
  const outstandingRequests = Math.floor(pairChance(index + 7, at / 1000) * 4);
  const longestRunningRequest = outstandingRequests === 0 ? "0s" : goDuration(5_113_274 * outstandingRequests);
  return { name: "router", message: { longestRunningRequest, outstandingRequests } };
}

function bls(view: View): Check {
  const { network, index, at } = view;
  const { bootstrapping, blsKey } = behaviourAt(network, index, at);
  if (blsKey === "other") {
    const registered = publicKeyOf(network.world.settings.seed, index);
    const error = `node has BLS key ${keyOf(view).publicKey}, but is registered to the validator set with ${registered}`;
    return { name: "bls", error };
  }
  const validator = stakeOf(network, index, at) !== undefined && !bootstrapping;
  return { name: "bls", message: validator ? "node has the correct BLS key" : "node is not a validator" };
}

function futureUpgrade(view: View): Check {
  const member = view.network.world.members[view.index];
  const own = member === undefined ? 0 : announcedUpgrade(view, member);
  const votes = [...upgradeVotes(view)].sort(([, a], [, b]) => (b > a ? 1 : -1));
  const [mode, weight] = votes[0] ?? [0, 0n];
  const { total } = rosterAt(view.network, view.at);
  const left = mode - view.at / 1000;
  // A node warns only of an upgrade later than its own schedule, not of an earlier one.
  const urgency = mode <= own || left <= 0 || left > 3 * 86_400 ? undefined : left <= 3600 ? 2 : left <= 86_400 ? 1 : 0;
  const message = {
    localUpgradeTime: goTime(own * 1000),
    modeUpgradeTime: goTime(mode * 1000),
    modeUpgradeWeightPercentage: total === 0 ? 0 : (Number(weight) / total) * 100,
    numUpgradeTimes: votes.length,
    ...(urgency === undefined ? {} : { timeUntilUpgrade: goDuration(left * 1e9) }),
  };
  const errors = [
    "unknown network upgrade detected",
    "unknown network upgrade detected - update as soon as possible",
    "imminent network upgrade detected - update immediately",
  ];
  return { name: "futureupgrade", message, ...failing(urgency === undefined ? undefined : errors[urgency]) };
}
