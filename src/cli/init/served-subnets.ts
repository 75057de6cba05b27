import { evmMethods, rpcPath } from "../../api/node/evm-methods.ts";
import type { HealthReport } from "../../api/node/health.ts";
import { infoMethods } from "../../api/node/info.ts";
import { stateMethods } from "../../api/node/platform-state.ts";
import { platformMethods, type Validator } from "../../api/node/platform.ts";
import { bounded } from "../../api/bounded.ts";
import { isChainCheck } from "../../topics/labels.ts";
import type { Attempt } from "./attempt.ts";

/** The subnets and L1s that a node runs: it has a health check for each of its chains. */

/** Chains that are surveyed at most. */
const MOST_CHAINS = 50;
const BLOCKCHAIN_ID = /^[1-9A-HJ-NP-Za-km-z]{44,52}$/;
const PRIMARY = ["P", "X", "C"];

/** The record of a validator, "none" where the set has none, `undefined` when that is unknown. */
export type ValidatorRecord = Validator | "none" | undefined;

type EvmState = { readonly isEvm: boolean; readonly evmChainId: number | undefined };

export type ServedSubnets = {
  readonly subnets: ReadonlyArray<{
    readonly id: string;
    readonly chains: ReadonlyArray<EvmState & { readonly id: string; readonly name: string }>;
    /** The node's record in the set of the subnet. */
    readonly validator: ValidatorRecord;
  }>;
  /** Chains whose subnet is unknown: the node did not list its blockchains. */
  readonly unknownChains: readonly string[];
};

/** The subnets of the chains in a health report. */
export async function servedSubnets(
  { checks }: Pick<HealthReport, "checks">,
  nodeId: string | undefined,
  attempt: Attempt,
): Promise<ServedSubnets> {
  const named = Object.keys(checks)
    .filter((name) => isChainCheck(name) && !PRIMARY.includes(name))
    .slice(0, MOST_CHAINS);
  const ids = (await Promise.all(named.map((name) => chainId(name, attempt)))).filter((each) => each !== undefined);
  if (ids.length === 0) return { subnets: [], unknownChains: [] };
  const { value } = await attempt((api) => api.call(stateMethods.getBlockchains, {}));
  const known = new Map((value?.blockchains ?? []).map((blockchain) => [blockchain.id, blockchain]));
  const chains = await Promise.all(
    ids.flatMap(({ id, alias }) => {
      const record = known.get(id);
      if (record === undefined) return [];
      const name = bounded(alias ?? record.name, 60) || id;
      return [evmOf(id, attempt).then((evm) => ({ subnet: record.subnetID, chain: { id, name, ...evm } }))];
    }),
  );
  const subnets = [...Map.groupBy(chains, ({ subnet }) => subnet)].map(async ([id, same]) => ({
    id,
    chains: same.map(({ chain }) => chain),
    validator: await validatorOf(nodeId, attempt, id),
  }));
  const unknownChains = ids.map(({ id }) => id).filter((id) => !known.has(id));
  return { subnets: await Promise.all(subnets), unknownChains };
}

/** The blockchain ID of a check, which has the chain's alias as its name where the node has one. */
async function chainId(
  name: string,
  attempt: Attempt,
): Promise<{ readonly id: string; readonly alias: string | undefined } | undefined> {
  if (BLOCKCHAIN_ID.test(name)) return { id: name, alias: undefined };
  const { value } = await attempt((api) => api.call(infoMethods.getBlockchainID, { alias: name }));
  const id = value?.blockchainID;
  return id !== undefined && BLOCKCHAIN_ID.test(id) ? { id, alias: name } : undefined;
}

async function evmOf(id: string, attempt: Attempt): Promise<EvmState> {
  const { value, failure } = await attempt((api) => api.call({ ...evmMethods.chainId, path: rpcPath(id) }, []));
  // A chain that starts, or whose plugin failed, can be an EVM chain.
  return { isEvm: failure?.status !== 404 && failure?.reason !== "unsupported", evmChainId: value };
}

/** Its record in the set of a subnet, else of the Primary Network. */
export async function validatorOf(
  nodeId: string | undefined,
  attempt: Attempt,
  subnetID?: string,
): Promise<ValidatorRecord> {
  if (nodeId === undefined) return undefined;
  const params = { nodeIDs: [nodeId], ...(subnetID === undefined ? {} : { subnetID }) };
  const { value } = await attempt((api) => api.call(platformMethods.getCurrentValidators, params));
  return value && (value.validators.find((validator) => validator.nodeID === nodeId) ?? "none");
}
