import { z } from "zod";
import { endpoint, keyedEndpoint } from "../endpoint.ts";
import { platformMethod } from "./platform.ts";
import { list } from "../wire.ts";

/** P-Chain API: blockchains and their status on this node. */

const blockchain = z.object({ id: z.string(), name: z.string(), subnetID: z.string(), vmID: z.string() });
export type Blockchain = z.infer<typeof blockchain>;

export const chainMethods = {
  getBlockchains: platformMethod(
    "platform.getBlockchains",
    "Every blockchain except the P-Chain (large: all ever created).",
    z.object({}),
    z.object({ blockchains: list(blockchain) }),
  ),
  getBlockchainStatus: platformMethod(
    "platform.getBlockchainStatus",
    "Status of a blockchain on this node: Validating, Created, Preferred, Syncing or Unknown.",
    z.object({ blockchainID: z.string() }),
    z.object({ status: z.string() }),
  ),
};

/** Blockchains of the configured subnets; `total` counts all records of the answer. */
type SubnetBlockchains = { readonly total: number; readonly blockchains: readonly Blockchain[] };

/** Polled only if a subnet is configured: the answer has every blockchain ever created. */
export const Blockchains = endpoint<SubnetBlockchains>({
  id: "platform.getBlockchains",
  about: "Blockchains of the configured subnets.",
  scope: "network",
  every: 3600,
  timeout: 30,
  when: ({ subnets }) => subnets.length > 0,
  ask: async (api, _key, { subnets }) => {
    const { blockchains } = await api.call(chainMethods.getBlockchains, {});
    const wanted = new Set(subnets.map(({ id }) => id));
    return { total: blockchains.length, blockchains: blockchains.filter(({ subnetID }) => wanted.has(subnetID)) };
  },
});

/** Keyed by blockchain ID or alias. `P` is always Syncing on a real node: no transaction created it. */
export const BlockchainStatus = keyedEndpoint({
  id: "platform.getBlockchainStatus",
  about: "Status of each chain on this node: validated, followed, or not run.",
  scope: "node",
  every: 60,
  keys: ({ chains }) => chains.map(({ id }) => id),
  ask: (api, blockchainID) => api.call(chainMethods.getBlockchainStatus, { blockchainID }),
});
