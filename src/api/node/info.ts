import { z } from "zod";
import { endpoint, keyedEndpoint, orFact, type Method } from "../endpoint.ts";
import { count, list, map, navax, percent, timestamp } from "../wire.ts";

/** Info API of the node specification: all thirteen methods. */

const PATH = "/ext/info";
const none = z.object({});

function method<P, R>(name: string, about: string, params: z.ZodType<P>, result: z.ZodType<R>): Method<P, R> {
  return { name, path: PATH, about, params, result };
}

const peer = z.object({
  nodeID: z.string(),
  version: z.string(),
  lastSent: timestamp,
  lastReceived: timestamp,
  /** This node's uptime as the peer observed it, whole percent; 0 before the first ping. */
  observedUptime: percent.optional(),
  trackedSubnets: list(z.string()),
  benched: list(z.string()),
  /** Unix seconds of the last upgrade that the peer knows; 0 from peers that do not say. */
  upgradeTime: count.optional(),
});
const peersResult = z.object({ numPeers: count, peers: list(peer) });
export type Peer = z.infer<typeof peer>;

const uptimeResult = z.object({ rewardingStakePercentage: percent, weightedAveragePercentage: percent });
export type Uptime = z.infer<typeof uptimeResult> | "not_a_validator";

const acp = z.object({ supportWeight: navax, objectWeight: navax, abstainWeight: navax });

const txFee = z.record(z.string(), navax);

/** Times by name (`heliconTime`), Unix seconds; what is no time (heights, IDs, durations) is left out. */
const upgradesResult = z.record(z.string(), z.unknown()).transform((fields, context) => {
  const times = new Map<string, number>();
  for (const [name, value] of Object.entries(fields)) {
    if (!name.endsWith("Time")) continue;
    const parsed = timestamp.safeParse(value);
    if (!parsed.success) {
      context.addIssue({ code: "custom", message: "not an RFC 3339 time", path: [name] });
      return z.NEVER;
    }
    if (parsed.data !== undefined) times.set(name.slice(0, -"Time".length), parsed.data);
  }
  return times;
});

/** Go prints an unscheduled upgrade as the year 9999. */
const UNSCHEDULED_FROM = 253_370_764_800;

/** The activation time, or nothing while the upgrade is not scheduled. "A time far in the future means not yet scheduled." */
export function scheduled(time: number | undefined): number | undefined {
  return time === undefined || time >= UNSCHEDULED_FROM ? undefined : time;
}

export const infoMethods = {
  acps: method("info.acps", "Stake for and against each community proposal.", none, z.object({ acps: map(acp) })),
  isBootstrapped: method(
    "info.isBootstrapped",
    "Whether a chain is done bootstrapping.",
    z.object({ chain: z.string() }),
    z.object({ isBootstrapped: z.boolean() }),
  ),
  getBlockchainID: method(
    "info.getBlockchainID",
    "The blockchain ID behind an alias.",
    z.object({ alias: z.string() }),
    z.object({ blockchainID: z.string() }),
  ),
  getNetworkID: method("info.getNetworkID", "The network's number.", none, z.object({ networkID: count })),
  getNetworkName: method("info.getNetworkName", "The network's name.", none, z.object({ networkName: z.string() })),
  getNodeID: method(
    "info.getNodeID",
    "The node's ID and BLS key.",
    none,
    z.object({ nodeID: z.string(), nodePOP: z.object({ publicKey: z.string() }).optional() }),
  ),
  getNodeIP: method("info.getNodeIP", "The address that the node advertises.", none, z.object({ ip: z.string() })),
  getNodeVersion: method(
    "info.getNodeVersion",
    "Versions of the node, its database and its VMs.",
    none,
    z.object({
      version: z.string(),
      databaseVersion: z.string().optional(),
      gitCommit: z.string().optional(),
      rpcProtocolVersion: z.union([z.string(), z.number().transform(String)]).optional(),
      vmVersions: map(z.string()),
    }),
  ),
  getTxFee: method("info.getTxFee", "Fees by kind (deprecated as of v1.12.2).", none, txFee),
  getVMs: method(
    "info.getVMs",
    "VMs that the node has, with their aliases.",
    none,
    z.object({ vms: map(list(z.string())) }),
  ),
  peers: {
    ...method(
      "info.peers",
      "The node's connections.",
      z.object({ nodeIDs: z.array(z.string()).optional() }),
      peersResult,
    ),
    rows: { field: "peers", row: peer },
  },
  uptime: method(
    "info.uptime",
    "This node's uptime as the network grants it.",
    z.object({ subnetID: z.string().optional() }),
    uptimeResult,
  ),
  upgrades: method("info.upgrades", "Activation times of the network upgrades.", none, upgradesResult),
};

const NOT_A_VALIDATOR = /not a validator/i;
const NO_SUCH_CHAIN = /no chain with alias/i;
const NO_SUCH_ALIAS = /no ID with alias/i;

// getNodeID, getNodeIP, getVMs and the health API are not served by public servers ("What the service does").
const SLOW = { every: 300, timeout: 10, scope: "node" } as const;

export const NodeId = endpoint({
  ...SLOW,
  id: "info.getNodeID",
  optional: true,
  about: "The node's ID and BLS public key.",
  methods: ["info.getNodeID"],
  ask: (api) => api.call(infoMethods.getNodeID, {}),
});

export const NodeIp = endpoint({
  ...SLOW,
  id: "info.getNodeIP",
  optional: true,
  about: "The IP address that the node advertises.",
  methods: ["info.getNodeIP"],
  ask: (api) => api.call(infoMethods.getNodeIP, {}),
});

export const NetworkId = endpoint({
  ...SLOW,
  id: "info.getNetworkID",
  about: "The network's number.",
  methods: ["info.getNetworkID"],
  ask: (api) => api.call(infoMethods.getNetworkID, {}),
});

export const NetworkName = endpoint({
  ...SLOW,
  id: "info.getNetworkName",
  about: "The network's name.",
  methods: ["info.getNetworkName"],
  ask: (api) => api.call(infoMethods.getNetworkName, {}),
});

export const NodeVersion = endpoint({
  ...SLOW,
  id: "info.getNodeVersion",
  about: "Versions of the node, its database and its VMs.",
  methods: ["info.getNodeVersion"],
  ask: (api) => api.call(infoMethods.getNodeVersion, {}),
});

export const Vms = endpoint({
  ...SLOW,
  id: "info.getVMs",
  optional: true,
  about: "VMs that the node has, with their aliases.",
  methods: ["info.getVMs"],
  ask: (api) => api.call(infoMethods.getVMs, {}),
});

/** Blockchain IDs of P, X, C and the configured aliases; `undefined` when the node knows no such alias. */
export const BlockchainId = keyedEndpoint<{ readonly blockchainID: string | undefined }>({
  ...SLOW,
  id: "info.getBlockchainID",
  about: "The blockchain ID behind each alias.",
  methods: ["info.getBlockchainID"],
  keys: (facts) => ["P", "X", "C", ...facts.aliases],
  ask: (api, alias) =>
    orFact<{ readonly blockchainID: string | undefined }>(
      api.call(infoMethods.getBlockchainID, { alias }),
      NO_SUCH_ALIAS,
      {
        blockchainID: undefined,
      },
    ),
});

/** Keyed by blockchain ID or alias. "There is no chain" is the answer of a node that does not run it: not bootstrapped. */
export const IsBootstrapped = keyedEndpoint({
  id: "info.isBootstrapped",
  about: "Whether each chain is done bootstrapping.",
  scope: "node",
  methods: ["info.isBootstrapped"],
  every: 15,
  timeout: 10,
  keys: (facts) => facts.chains.map(({ id }) => id),
  ask: (api, chain) =>
    orFact(api.call(infoMethods.isBootstrapped, { chain }), NO_SUCH_CHAIN, { isBootstrapped: false }),
});

export const Peers = endpoint({
  id: "info.peers",
  about: "The node's peers.",
  scope: "node",
  methods: ["info.peers"],
  every: 30,
  timeout: 15,
  ask: (api) => api.call(infoMethods.peers, {}),
});

export const OwnUptime = endpoint<Uptime>({
  id: "info.uptime",
  about: "This node's uptime as the network grants it.",
  scope: "node",
  methods: ["info.uptime"],
  every: 30,
  timeout: 10,
  ask: (api) => orFact<Uptime>(api.call(infoMethods.uptime, {}), NOT_A_VALIDATOR, "not_a_validator"),
});

/**
 * Uptime by subnet, for servers of the specification alone: a real node ignores `subnetID` and answers with the Primary
 * Network's figure, which would be a wrong number under a subnet's name.
 */
export const SubnetUptime = keyedEndpoint<Uptime>({
  id: "info.uptime.subnet",
  about: "This node's uptime in each configured subnet (servers of the specification only).",
  scope: "node",
  methods: ["info.uptime {subnetID}"],
  every: 30,
  timeout: 10,
  keys: (facts) => (facts.dialect === "spec" ? facts.subnets.map(({ id }) => id) : []),
  ask: (api, subnetID) =>
    orFact<Uptime>(api.call(infoMethods.uptime, { subnetID }), NOT_A_VALIDATOR, "not_a_validator"),
});

export const Upgrades = endpoint({
  ...SLOW,
  id: "info.upgrades",
  about: "Activation times of the network upgrades.",
  methods: ["info.upgrades"],
  ask: (api) => api.call(infoMethods.upgrades, {}),
});

export const Acps = endpoint({
  ...SLOW,
  id: "info.acps",
  about: "Stake for and against each community proposal.",
  scope: "network",
  methods: ["info.acps"],
  ask: (api) => api.call(infoMethods.acps, {}),
});

/** Off unless configured: every call leaves a warning in the node's log. */
export const TxFee = endpoint({
  ...SLOW,
  id: "info.getTxFee",
  about: "Fees by kind (deprecated; each call writes a warning into the node's log).",
  scope: "network",
  every: 86_400,
  methods: ["info.getTxFee"],
  enabled: false,
  ask: (api) => api.call(infoMethods.getTxFee, {}),
});
