import { chainState } from "../world/chains.ts";
import { PRIMARY, type ChainName } from "../world/genesis.ts";
import { goDuration, goTime } from "../world/gotime.ts";
import { blockId, pairChance, ZERO_NODE_ID } from "../world/ids.ts";
import { inactiveWeight } from "../world/l1.ts";
import {
  behaviourAt,
  CHAINS,
  disconnected,
  fullWeight,
  heightOf,
  linked,
  rosterAt,
  runsSince,
  segmentAt,
  stakeOf,
} from "../world/network.ts";
import { announcedUpgrade, peersOf, upgradeVotes } from "../world/peers.ts";
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
  const { bootstrapping } = behaviourAt(view.network, view.index, view.at);
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
    lastAcceptedID: blockId(network.world.settings.seed, chain, height),
    longestProcessingBlock: goDuration(processingMs * 1_000_000),
    processingBlocks: processing,
  };
  const { missing, ratio } = connectedness(view, chain);
  const engine = [
    ...(processing > 256 ? [`too many processing blocks: ${processing} > 256`] : []),
    ...(processingMs > 30_000 ? [`block processing too long: ${goDuration(processingMs * 1_000_000)} > 30s`] : []),
  ].join("\n");
  const stake =
    ratio < 0.8
      ? `not connected to enough stake: connected to ${(ratio * 100).toFixed(6)}%; required at least 80.000000%`
      : "";
  const both = engine !== "" && stake !== "" ? `engine: ${engine}; networking: ${stake}` : engine + stake;
  return {
    message: {
      engine: {
        consensus: behaviour.bootstrapping ? {} : consensus,
        vm: chain === "perm1" || chain === "l1one" ? { database: null, health: null } : null,
      },
      networking: { ...(since(view, "1.11.11") ? { disconnectedValidators: missing } : {}), percentConnected: ratio },
    },
    ...failing(both === "" ? undefined : both),
  };
}

/** Node IDs of the validators of a chain without a connection, and the connected share of the weight (0 to 1). */
function connectedness(view: View, chain: ChainName): { readonly missing: string[]; readonly ratio: number } {
  const { network, index, at } = view;
  if (chain === "perm1" || chain === "l1one") return subnetConnectedness(view, chain);
  const lost = disconnected(network, index, at);
  const { total } = rosterAt(network, at);
  const weight = lost.reduce((sum, member) => sum + fullWeight(member), 0);
  return { missing: lost.map(({ nodeId }) => nodeId).sort(), ratio: total === 0 ? 0 : (total - weight) / total };
}

function subnetConnectedness(
  view: View,
  chain: "perm1" | "l1one",
): { readonly missing: string[]; readonly ratio: number } {
  const { network, index, at } = view;
  const { permissioned, validations, members } = network.world;
  // Inactive weight has the zero ID and never counts as connected.
  const inactive = chain === "l1one" ? inactiveWeight(network, index, at) : 0;
  const seats =
    chain === "perm1"
      ? permissioned
          .filter((member) => stakeOf(network, member, at) !== undefined)
          .map((member) => ({ member, weight: 20 }))
      : validations;
  const total = seats.reduce((sum, seat) => sum + seat.weight, 0);
  const lost = seats.filter(({ member }) => !linked(network, index, member, at));
  const missing = new Set(lost.map(({ member }) => members[member]?.nodeId ?? ZERO_NODE_ID));
  if (inactive > 0) missing.add(ZERO_NODE_ID);
  const weight = lost.reduce((sum, seat) => sum + seat.weight, 0);
  return { missing: [...missing].sort(), ratio: total === 0 ? 1 : Math.max(0, total - inactive - weight) / total };
}

function diskspace(view: View): Check {
  const { lowDisk } = behaviourAt(view.network, view.index, view.at);
  const bytes = lowDisk ? 24_332_591_616 : 77_408_874_496;
  if (!since(view, "1.14.1")) {
    const error = `remaining available disk space (${bytes}) is below the warning threshold of disk space (26843545600)`;
    return { name: "diskspace", message: { availableDiskBytes: bytes }, ...failing(lowDisk ? error : undefined) };
  }
  const error =
    "remaining available disk space percentage (9%) is below warning threshold available space percentage (10%)";
  const message = { availableDiskBytes: bytes, availableDiskPercentage: lowDisk ? 9 : 28 };
  return { name: "diskspace", message, ...failing(lowDisk ? error : undefined) };
}

const INGRESS_GRACE_MS = 600_000;

function networkCheck(view: View): Check {
  const { network, index, at } = view;
  const { from, behaviour } = segmentAt(network, index, at);
  const connectedPeers = peersOf(view).length;
  const silenceMs = connectedPeers === 0 && behaviour.links !== "all" ? at - from : 0;
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

function bls({ network, index, at }: View): Check {
  const { bootstrapping } = behaviourAt(network, index, at);
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
