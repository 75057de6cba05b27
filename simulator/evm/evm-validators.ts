import type { SimulatedEvmChain } from "./evm-chain.ts";
import { goJson } from "../encoding/gotime.ts";
import { makeId } from "../encoding/ids.ts";
import { balanceOf } from "../world/l1.ts";
import { isL1, validationsOf } from "../world/genesis.ts";
import { linked, stakeOf } from "../world/network.ts";
import type { RpcService } from "../world/rpc.ts";
import { observedUptime } from "../world/uptime.ts";
import { BAD_ARGUMENT, fail, ok, textsParam, type SimulatedMethod, type View } from "../world/wire.ts";

/** The `validators` API of a Subnet-EVM chain: validators as a node of the chain observes them. All numbers are JSON numbers. */

type Row = {
  readonly member: number;
  readonly validationID: string;
  readonly weight: number;
  readonly startTimestamp: number;
  readonly isActive: boolean;
  readonly isL1Validator: boolean;
};

function rows({ network, index, at }: View, chain: Exclude<SimulatedEvmChain, "C">): readonly Row[] {
  const { permissioned, settings } = network.world;
  if (isL1(network.world, chain)) {
    return validationsOf(network.world, chain).map((validation) => ({
      member: validation.member,
      validationID: validation.validationId,
      weight: validation.weight,
      startTimestamp: settings.start / 1000 - 8 * 86_400,
      isActive: balanceOf(network, index, validation, at) > 0,
      isL1Validator: true,
    }));
  }
  return permissioned.flatMap((member) => {
    const stake = stakeOf(network, member, at);
    if (stake === undefined) return [];
    const validationID = makeId(settings.seed, "subnet stake", member, stake.period);
    const startTimestamp = stake.start + 3600;
    return [{ member, validationID, weight: 20, startTimestamp, isActive: true, isL1Validator: false }];
  });
}

const getCurrentValidators =
  (chain: Exclude<SimulatedEvmChain, "C">): SimulatedMethod =>
  (view, params) => {
    const wanted = textsParam(params, "nodeIDs");
    if (wanted === undefined) return fail(BAD_ARGUMENT);
    const { network, index, at } = view;
    const all = rows(view, chain).map(({ member, ...row }) => {
      const ratio = observedUptime(network, index, member, at);
      const elapsed = Math.max(0, at / 1000 - row.startTimestamp);
      return {
        validationID: row.validationID,
        nodeID: network.world.members[member]?.nodeId ?? "",
        weight: row.weight,
        startTimestamp: row.startTimestamp,
        isActive: row.isActive,
        isL1Validator: row.isL1Validator,
        isConnected: linked(network, index, member, at),
        uptimePercentage: Number((ratio * 100).toFixed(5)),
        uptimeSeconds: Math.floor(ratio * elapsed),
      };
    });
    const unknown = wanted.find((id) => !all.some(({ nodeID }) => nodeID === id));
    if (unknown !== undefined) return fail(`couldn't find validator with node ID: ${goJson(unknown).slice(1, -1)}`);
    return ok({ validators: wanted.length === 0 ? all : all.filter(({ nodeID }) => wanted.includes(nodeID)) });
  };

export function chainValidators(chain: Exclude<SimulatedEvmChain, "C">): RpcService {
  return { name: "validators", methods: { getCurrentValidators: getCurrentValidators(chain) } };
}
