import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isNodeId } from "../cb58.ts";
import { ApiError, endpoint, keyedEndpoint, methodEndpoint, methodsAt, orFact, type Api } from "../endpoint.ts";
import { count, httpDate, isNever, list, map, mapped, navax, percent, plannedTime, tally, text } from "../wire.ts";
import { peerList, withKnownList } from "../peer.ts";

/** Info API of the node specification: all 13 methods. */

const none = z.object({});
const method = methodsAt("/ext/info");

const peersResult = mapped(
  z.object({ numPeers: tally, peers: peerList, date: httpDate.optional() }),
  ({ peers, ...rest }) => ({ ...rest, ...peers }),
);

const uptimeResult = z.object({ rewardingStakePercentage: percent, weightedAveragePercentage: percent });
export type Uptime = z.infer<typeof uptimeResult> | "not_a_validator";

const voters = list(z.string()).optional();
const acp = z.object({
  ...{ supportWeight: navax, objectWeight: navax, abstainWeight: navax },
  ...{ supporters: voters, objectors: voters },
});

/** By kind. Fields that are not amounts are left out: they are not fees. */
const txFee = mapped(z.record(z.string(), navax.optional().catch(undefined)), (fees) =>
  Object.fromEntries(Object.entries(fees).flatMap(([kind, fee]) => (fee === undefined ? [] : [[kind, fee]]))),
);

/** Unix seconds by upgrade; leaves out fields that are not times (heights, IDs, durations). */
const upgradesResult = mapped(z.record(z.string(), z.unknown()), (fields, refuse) => {
  const times = new Map<string, number>();
  for (const [name, value] of Object.entries(fields)) {
    if (!name.endsWith("Time")) continue;
    const parsed = plannedTime.safeParse(value);
    if (!parsed.success) {
      refuse("not an RFC 3339 time", [name]);
      return times;
    }
    if (parsed.data !== undefined) times.set(name.slice(0, -"Time".length), parsed.data);
  }
  // Every schedule begins with the upgrades of the past: without any time it is no schedule.
  if (times.size === 0) refuse("no upgrade has a time");
  return times;
});

/**
 * The activation time; `undefined` if not scheduled: "A time far in the future means not yet scheduled." Go prints the year 9999.
 */
export function scheduled(time: number | undefined): number | undefined {
  return time === undefined || isNever(time) ? undefined : time;
}

export const infoMethods = {
  acps: method("info.acps", "Stake for and against each community proposal.", none, z.object({ acps: map(acp) })),
  isBootstrapped: method(
    "info.isBootstrapped",
    "Whether a chain has finished bootstrapping.",
    z.object({ chain: z.string() }),
    z.object({ isBootstrapped: z.boolean() }),
  ),
  getBlockchainID: method(
    "info.getBlockchainID",
    "Blockchain ID of an alias.",
    z.object({ alias: z.string() }),
    z.object({ blockchainID: text }),
  ),
  getNetworkID: method("info.getNetworkID", "Network ID.", none, z.object({ networkID: count })),
  getNetworkName: method("info.getNetworkName", "Name of the network.", none, z.object({ networkName: text })),
  getNodeID: method(
    "info.getNodeID",
    "The node's ID and BLS public key.",
    none,
    z.object({
      nodeID: z.string().refine(isNodeId, "not a node ID"),
      nodePOP: z.object({ publicKey: text }).optional(),
    }),
  ),
  getNodeIP: method("info.getNodeIP", "The IP address that the node advertises.", none, z.object({ ip: text })),
  getNodeVersion: method(
    "info.getNodeVersion",
    "Versions of the node, its database and its VMs.",
    none,
    z.object({
      version: text,
      databaseVersion: text.optional(),
      gitCommit: text.optional(),
      rpcProtocolVersion: z.union([text, mapped(z.number(), String)]).optional(),
      vmVersions: map(text).optional(),
    }),
  ),
  getTxFee: method("info.getTxFee", "Fees by kind (deprecated as of v1.12.2).", none, txFee),
  getVMs: method("info.getVMs", "Installed VMs with their aliases.", none, z.object({ vms: map(list(text)) })),
  peers: method(
    "info.peers",
    "Connected peers of the node.",
    z.object({ nodeIDs: z.array(z.string()).optional() }),
    peersResult,
  ),
  uptime: method(
    "info.uptime",
    "This node's uptime as observed by the network.",
    z.object({ subnetID: z.string().optional() }),
    uptimeResult,
  ),
  upgrades: method("info.upgrades", "Activation times of the network upgrades.", none, upgradesResult),
};

const NOT_A_VALIDATOR = /not a validator/i;
const NO_SUCH_CHAIN = /no chain with alias/i;
const NO_SUCH_ALIAS = /no ID with alias/i;

// Public servers do not serve getNodeID, getNodeIP, getVMs and the health API ("What the service does").
const SLOW = { every: 300, scope: "node" } as const;
const OF_ONE_NODE = { ...SLOW, optional: true, ofOneNode: true } as const;

export const NodeId = methodEndpoint(infoMethods.getNodeID, OF_ONE_NODE);

export const NodeIp = methodEndpoint(infoMethods.getNodeIP, OF_ONE_NODE);

export const NetworkId = methodEndpoint(infoMethods.getNetworkID, SLOW);

export const NetworkName = methodEndpoint(infoMethods.getNetworkName, SLOW);

export const NodeVersion = methodEndpoint(infoMethods.getNodeVersion, SLOW);

export const Vms = methodEndpoint(infoMethods.getVMs, OF_ONE_NODE);

type BlockchainIdAnswer = { readonly blockchainID: string | undefined };

/** Blockchain IDs of P, X, C and the configured aliases; `undefined` if the node does not have the alias. */
export const BlockchainId = keyedEndpoint<BlockchainIdAnswer>({
  ...SLOW,
  id: "info.getBlockchainID",
  about: "Blockchain ID of each alias.",
  keys: (facts) => ["P", "X", "C", ...facts.options.aliases],
  ask: (api, alias) =>
    orFact(api.call<{ alias: string }, BlockchainIdAnswer>(infoMethods.getBlockchainID, { alias }), NO_SUCH_ALIAS, {
      blockchainID: undefined,
    }),
});

/** Keyed by blockchain ID or alias. The error `there is no chain` means that the node does not run it: not bootstrapped. */
export const IsBootstrapped = keyedEndpoint<{ readonly isBootstrapped: boolean }>({
  id: "info.isBootstrapped",
  about: "Whether each chain has finished bootstrapping.",
  scope: "node",
  every: 15,
  settled: ({ isBootstrapped }) => isBootstrapped,
  keys: (facts) => facts.chains.map(({ id }) => id),
  ask: (api, chain) =>
    orFact(api.call(infoMethods.isBootstrapped, { chain }), NO_SUCH_CHAIN, { isBootstrapped: false }),
});

const datedPeers = { ...infoMethods.peers, dated: true };

export const Peers = endpoint<z.infer<typeof peersResult>>({
  ...{ id: datedPeers.name, about: "The node's peers.", scope: "node", every: 30, timeout: 15 },
  follows: true,
  ask: async (api, _key, _facts, previous) => withKnownList(await api.call(datedPeers, {}), previous),
});

const uptimeOf = (api: Api, params: { readonly subnetID?: string }): Promise<Uptime> =>
  orFact<Uptime>(api.call(infoMethods.uptime, params), NOT_A_VALIDATOR, "not_a_validator");

export const OwnUptime = endpoint<Uptime>({
  id: infoMethods.uptime.name,
  about: infoMethods.uptime.about,
  scope: "node",
  every: 30,
  ask: (api) => uptimeOf(api, {}),
});

/** Of a server whose two answers are equal: whether the answer about no subnet at all is equal too. */
async function ignoresSubnet(api: Api, uptime: Uptime): Promise<boolean> {
  try {
    return isDeepStrictEqual(await uptimeOf(api, { subnetID: "none" }), uptime);
  } catch (error) {
    if (error instanceof ApiError && error.failure.rpcMessage !== undefined) return false;
    throw error;
  }
}

/**
 * Uptime by subnet, only for servers of the specification: a real node ignores `subnetID` and returns the uptime in the Primary
 * Network. Whether the server honours it is found out once: its answer differs from that without, which stays the same meanwhile, or
 * it has none for a subnet that does not exist.
 */
export const SubnetUptime = keyedEndpoint<Uptime>({
  id: "info.uptime.subnet",
  about: "This node's uptime in each configured subnet (servers of the specification only).",
  scope: "node",
  methods: ["info.uptime {subnetID}"],
  every: 30,
  optional: true,
  follows: true,
  keys: (facts) => (facts.options.dialect === "avalanchego" ? [] : facts.subnets.map(({ id }) => id)),
  async ask(api, subnetID, { options }, previous) {
    if (options.dialect === "spec" || previous !== undefined) return uptimeOf(api, { subnetID });
    const before = await uptimeOf(api, {});
    const found = await uptimeOf(api, { subnetID });
    const after = await uptimeOf(api, {});
    if (isDeepStrictEqual(before, after) && !(isDeepStrictEqual(before, found) && (await ignoresSubnet(api, found))))
      return found;
    throw new ApiError({
      reason: "unsupported",
      message: "info.uptime: the answer with subnetID is that of the Primary Network: the server ignores it",
    });
  },
});

export const Upgrades = methodEndpoint(infoMethods.upgrades, SLOW);

export const Acps = methodEndpoint(infoMethods.acps, { ...SLOW, scope: "network" });

/** Off by default: every call leaves a warning in the node's log. */
export const TxFee = methodEndpoint(infoMethods.getTxFee, {
  ...SLOW,
  trace: "Every poll writes a WARN line, because the method is deprecated.",
  scope: "network",
  every: 86_400,
  enabled: false,
  optional: true,
});
