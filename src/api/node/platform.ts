import { z } from "zod";
import { endpoint, keyedEndpoint, type Method } from "../endpoint.ts";
import { count, list, navax, percent, uint64, unixTime } from "../wire.ts";

/** P-Chain API of the node specification. */

const PATH = "/ext/bc/P";
const none = z.object({});

function method<P, R>(name: string, about: string, params: z.ZodType<P>, result: z.ZodType<R>): Method<P, R> {
  return { name, path: PATH, about, params, result };
}

/**
 * A validator of any kind: permissionless, permissioned (five fields), L1, auto-renewed. Which fields are there tells the
 * kind. Weight and delegated weight are nAVAX on the Primary Network and the subnet's own unit elsewhere.
 */
const validator = z.object({
  nodeID: z.string(),
  weight: uint64,
  startTime: unixTime,
  endTime: unixTime.optional(),
  uptime: percent.optional(),
  connected: z.boolean().optional(),
  potentialReward: navax.optional(),
  accruedDelegateeReward: navax.optional(),
  /** Percent on the wire, a ratio here. */
  delegationFee: percent.optional(),
  delegatorCount: count.optional(),
  delegatorWeight: uint64.optional(),
  signer: z.object({ publicKey: z.string() }).nullish(),
  /** L1 only. */
  validationID: z.string().optional(),
  minNonce: count.optional(),
  balance: navax.optional(),
  /** Auto-renewed only: seconds of the next cycle, 0 when it leaves at the end of this one. */
  nextPeriod: count.optional(),
  /** Auto-renewed only: parts per million of the reward that is staked again. */
  autoCompoundRewardShares: count.optional(),
});
export type Validator = z.infer<typeof validator>;

const validatorsResult = z.object({ validators: list(validator) });

export const platformMethods = {
  getHeight: {
    ...method("platform.getHeight", "Height of the last accepted block.", none, z.object({ height: count })),
    beyond: true,
  },
  getCurrentValidators: {
    ...method(
      "platform.getCurrentValidators",
      "Validators of the Primary Network, a subnet or an L1.",
      z.object({ subnetID: z.string().optional(), nodeIDs: z.array(z.string()).optional() }),
      validatorsResult,
    ),
    rows: { field: "validators", row: validator },
  },
};

/** Beyond the specification, so a server without it is not at fault. */
export const PlatformHeight = endpoint({
  id: "platform.getHeight",
  about: "Height of the last accepted P-Chain block: the cheapest P-Chain probe.",
  scope: "node",
  methods: ["platform.getHeight"],
  every: 15,
  timeout: 10,
  optional: true,
  ask: (api) => api.call(platformMethods.getHeight, {}),
});

/** The parameter that names a subnet: left out for the Primary Network. */
function subnetParam(key: string): { subnetID?: string } {
  return key === PRIMARY ? {} : { subnetID: key };
}

/** Label value and key of the Primary Network. */
export const PRIMARY = "primary";

/** Keyed by `primary` and subnet ID. Large: asked of one node per network. */
export const Validators = keyedEndpoint({
  id: "platform.getCurrentValidators",
  about: "The whole validator set of the Primary Network and of each configured subnet.",
  scope: "network",
  methods: ["platform.getCurrentValidators"],
  every: 60,
  timeout: 30,
  keys: (facts) => [PRIMARY, ...facts.subnets.map(({ id }) => id)],
  ask: (api, subnet) => api.call(platformMethods.getCurrentValidators, subnetParam(subnet)),
});

/** Keyed by `primary` and subnet ID: what this node sees of the watched validators. */
export const WatchedValidators = keyedEndpoint({
  id: "platform.getCurrentValidators.watched",
  about: "The watched validators as this node sees them.",
  scope: "observer",
  methods: ["platform.getCurrentValidators {nodeIDs}"],
  every: 30,
  timeout: 15,
  keys: (facts) => (facts.watch.length === 0 ? [] : [PRIMARY, ...facts.subnets.map(({ id }) => id)]),
  ask: (api, subnet, { watch }) =>
    api.call(platformMethods.getCurrentValidators, { ...subnetParam(subnet), nodeIDs: [...watch] }),
});
