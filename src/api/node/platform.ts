import { z } from "zod";
import { confirming, endpoint, keyedEndpoint, methodEndpoint, methodsAt, type TargetFacts } from "../endpoint.ts";
import { isLate } from "../is-late.ts";
import {
  count,
  height,
  isNever,
  list,
  mapped,
  navax,
  pastTime,
  percent,
  rows,
  setTime,
  tally,
  uint64,
  unixTime,
} from "../wire.ts";

/** P-Chain API of the node specification. */

export const PLATFORM_PATH = "/ext/bc/P";
export const platformMethod = methodsAt(PLATFORM_PATH);

/**
 * The addresses of an owner, each once; `undefined` where they are missing or of another form, which does not fail the answer.
 */
const owner = mapped(z.unknown(), (value): readonly string[] | undefined => {
  const addresses = typeof value === "object" && value !== null && "addresses" in value ? value.addresses : undefined;
  if (!Array.isArray(addresses)) return undefined;
  const texts = addresses.filter((address) => typeof address === "string");
  return texts.length === addresses.length ? [...new Set(texts)] : undefined;
}).optional();

/**
 * A validator of any kind: permissionless, permissioned (five fields), L1, auto-renewed. The present fields determine the kind.
 * Weight and delegated weight are nAVAX on the Primary Network and the unit of the subnet elsewhere.
 */
const fields = z.object({
  nodeID: z.string(),
  weight: uint64,
  startTime: unixTime,
  /** Absent for a stake without an end. */
  endTime: mapped(count, (time) => (isNever(time) ? undefined : setTime(time))).optional(),
  uptime: percent.optional(),
  connected: z.boolean().optional(),
  /** Who is paid for the validator's own stake. */
  validationRewardOwner: owner,
  /** Who is paid the delegation fees. */
  delegationRewardOwner: owner,
  potentialReward: navax.optional(),
  accruedDelegateeReward: navax.optional(),
  /** Percent on the wire, a ratio here. */
  delegationFee: percent.optional(),
  delegatorCount: tally.optional(),
  delegatorWeight: uint64.optional(),
  signer: z.object({ publicKey: z.string() }).nullish(),
  /** L1 only. */
  validationID: z.string().optional(),
  /** BLS key of the validation. */
  publicKey: z.string().nullish(),
  minNonce: count.optional(),
  balance: navax.optional(),
  /** Auto-renewed only: seconds of the next cycle, 0 if it leaves at the end of the current one. */
  nextPeriod: count.optional(),
  /** Auto-renewed only: share of the reward that is staked again, in parts per million. */
  autoCompoundRewardShares: count.optional(),
  /** Auto-renewed only: what earlier cycles staked again, part of the weight; not every release sends it. */
  restakedValidationRewards: navax.optional(),
  restakedDelegateeRewards: navax.optional(),
});

/** A period that has not begun, or ends before it begins, is unknown: an end in the past means a lost reward. */
const validator = mapped(fields, (found): z.infer<typeof fields> & { readonly wrongPeriod?: true } => {
  const { startTime, endTime } = found;
  if (startTime === undefined || ((endTime ?? startTime) >= startTime && !isLate(startTime))) return found;
  return { ...found, startTime: undefined, endTime: undefined, wrongPeriod: true };
});
export type Validator = z.infer<typeof validator>;

/** Every figure of the delegations needs all weights and ends: sums without one row would be too low. */
const delegations = rows(
  z.object({
    txID: z.string().optional(),
    weight: uint64,
    endTime: unixTime.pipe(z.number("a delegation has an end")),
    potentialReward: navax.optional(),
  }),
  ["txID", "potentialReward"],
);

/** A validator with its delegations, which are in the answer about a single node alone. */
const delegated = z.object({
  nodeID: z.string(),
  startTime: pastTime,
  potentialReward: navax.optional(),
  /** Of the validator itself. */
  weight: uint64.optional(),
  delegationFee: percent.optional(),
  delegators: delegations.optional(),
});

/** Fields that a record can lack: then their figures are absent, and so are sums over all records. */
const LOSABLE = [
  "uptime",
  "connected",
  "potentialReward",
  "accruedDelegateeReward",
  "delegatorCount",
  "delegatorWeight",
  "minNonce",
  "autoCompoundRewardShares",
  "restakedValidationRewards",
  "restakedDelegateeRewards",
];

const validatorsResult = mapped(
  z.object({ validators: rows(validator, LOSABLE) }),
  ({ validators: { rows: validators, ...rest } }) => ({ validators, ...rest }),
);

export const platformMethods = {
  getHeight: platformMethod(
    "platform.getHeight",
    "Height of the last accepted P-Chain block.",
    z.object({}),
    z.object({ height }),
    { beyond: true },
  ),
  getCurrentValidators: platformMethod(
    "platform.getCurrentValidators",
    "Validators of the Primary Network, a subnet or an L1.",
    z.object({ subnetID: z.string().optional(), nodeIDs: z.array(z.string()).optional() }),
    validatorsResult,
  ),
};

/** The same method, asked about one node. */
const ofOneNode = platformMethod(
  "platform.getCurrentValidators",
  "A validator with its delegations.",
  z.object({ nodeIDs: z.array(z.string()) }),
  mapped(z.object({ validators: list(delegated) }), ({ validators }) => ({
    validators: validators.map(({ delegators, ...rest }) => ({ ...rest, delegators: delegators?.rows })),
    invalidRows: validators.find(({ delegators }) => delegators?.invalidRows)?.delegators?.invalidRows,
  })),
);
export type OwnValidatorRecord = z.infer<typeof ofOneNode.result>["validators"][number];

export const PlatformHeight = methodEndpoint(platformMethods.getHeight, { scope: "node", every: 15, optional: true });

/** The parameters for a key: none for the Primary Network. */
function subnetParam(key: string): { subnetID?: string } {
  return key === PRIMARY ? {} : { subnetID: key };
}

/** Label value and key of the Primary Network. */
export const PRIMARY = "primary";

/** Keys of endpoints that poll the Primary Network and every configured subnet. */
export const subnetIds = ({ subnets }: TargetFacts): readonly string[] => [PRIMARY, ...subnets.map(({ id }) => id)];

/** Keyed by `primary` and subnet ID. */
export const Validators = keyedEndpoint({
  id: "platform.getCurrentValidators",
  about: "The whole validator set of the Primary Network and of each configured subnet.",
  scope: "network",
  every: 60,
  timeout: 30,
  keys: subnetIds,
  ask: (api, subnet) => api.call(platformMethods.getCurrentValidators, subnetParam(subnet)),
});

export const SecondValidators = confirming(Validators);

/** Keyed by `primary` and subnet ID. */
export const WatchedValidators = keyedEndpoint({
  id: "platform.getCurrentValidators.watched",
  about: "The watched validators as observed by this node.",
  scope: "observer",
  methods: ["platform.getCurrentValidators {nodeIDs}"],
  every: 30,
  timeout: 15,
  keys: (facts) => (facts.watch.length === 0 ? [] : subnetIds(facts)),
  async ask(api, subnet, { watch }) {
    const params = { ...subnetParam(subnet), nodeIDs: [...watch] };
    const answer = await api.call(platformMethods.getCurrentValidators, params);
    // A server that ignores the parameter answers with all of them, which would all have series.
    return { ...answer, validators: answer.validators.filter(({ nodeID }) => watch.includes(nodeID)) };
  },
});

/** Delegations end and begin within days, and there can be thousands. */
export const OwnDelegations = endpoint({
  id: "platform.getCurrentValidators.delegators",
  about: "The delegations to the validator that the node is.",
  scope: "node",
  methods: ["platform.getCurrentValidators {nodeIDs}"],
  every: 600,
  timeout: 30,
  when: ({ nodeId }) => nodeId !== undefined,
  ask: (api, _key, { nodeId }) => api.call(ofOneNode, { nodeIDs: nodeId === undefined ? [] : [nodeId] }),
});
