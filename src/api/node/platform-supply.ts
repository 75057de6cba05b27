import { z } from "zod";
import { endpoint, keyedEndpoint, orFact } from "../endpoint.ts";
import { platformMethod } from "./platform-method.ts";
import { PRIMARY } from "./platform.ts";
import { timestamp, uint64 } from "../wire.ts";

/** P-Chain API: supply of the staking assets, and the chain's own clock. */

const supplyResult = z.object({
  /** nAVAX on the Primary Network, the asset's own smallest unit elsewhere. */
  supply: uint64,
});

export const supplyMethods = {
  getCurrentSupply: platformMethod(
    "platform.getCurrentSupply",
    "Upper bound of the supply of a staking asset: burnt tokens and fees are not subtracted.",
    z.object({ subnetID: z.string().optional() }),
    supplyResult,
  ),
  getTimestamp: {
    ...platformMethod(
      "platform.getTimestamp",
      "The P-Chain's own clock, which moves with its blocks.",
      z.object({}),
      z.object({ timestamp }),
    ),
    beyond: true,
  },
};

/** `undefined` where there is no staking asset: a permissioned subnet and an L1 say "not found". */
export type Supply = { readonly supply: bigint | undefined };

const NO_STAKING_ASSET = /not found/i;

/** Keyed by `primary` and subnet ID. */
export const CurrentSupply = keyedEndpoint<Supply>({
  id: "platform.getCurrentSupply",
  about: "Supply of AVAX and of each configured elastic subnet's staking asset.",
  scope: "network",
  methods: ["platform.getCurrentSupply"],
  every: 300,
  timeout: 10,
  keys: (facts) => [PRIMARY, ...facts.subnets.map(({ id }) => id)],
  ask: (api, subnet) =>
    subnet === PRIMARY
      ? api.call(supplyMethods.getCurrentSupply, {})
      : orFact<Supply>(api.call(supplyMethods.getCurrentSupply, { subnetID: subnet }), NO_STAKING_ASSET, {
          supply: undefined,
        }),
});

/** Beyond the specification, so a server without it is not at fault. */
export const PlatformTimestamp = endpoint({
  id: "platform.getTimestamp",
  about: "The P-Chain's clock as this node has it.",
  scope: "node",
  methods: ["platform.getTimestamp"],
  every: 30,
  timeout: 10,
  optional: true,
  ask: (api) => api.call(supplyMethods.getTimestamp, {}),
});
