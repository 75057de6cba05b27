import { z } from "zod";
import { maybeField } from "./data-fields.ts";
import type { AnswerOf } from "../endpoint.ts";
import { getResource, hostedEndpoint } from "./hosted-endpoint.ts";
import { list } from "../wire.ts";

/** Data API: the EVM chains that the service indexes. */

export const CHAIN_STATUSES = ["OK", "UNAVAILABLE"] as const;
export const CHAIN_FEATURES = ["nftIndexing", "webhooks", "teleporter"] as const;

const chain = z.object({
  chainId: z.coerce.string(),
  status: z.string().transform((status) => status.toUpperCase()),
  chainName: maybeField(z.string()),
  vmName: maybeField(z.string()),
  isTestnet: maybeField(z.boolean()),
  networkToken: maybeField(z.object({ symbol: maybeField(z.string()) })),
  enabledFeatures: list(z.string()).optional(),
});

export type IndexedChain = z.output<typeof chain>;

/** The states of hundreds of chains are counted: nothing else but the ID, by which each counts once, is read. */
const chains = z.object({ chains: list(chain.pick({ chainId: true, status: true })) });

export const SupportedChains = getResource(
  "/v1/chains",
  "Every EVM chain that the service indexes on its network.",
  chains,
);

export const ChainById = getResource("/v1/chains/{chainId}", "Status and features of one indexed EVM chain.", chain);

/** Counts alone: the list is long, and most of its chains are not configured. */
export const DataChains = hostedEndpoint(SupportedChains, {
  id: "data.chains",
  units: 1,
  priority: 2,
  every: 300,
  keys: ({ network, chains }) => (chains.length === 0 ? [] : [network]),
  async ask(api, network) {
    const answer = await api.get(SupportedChains, {}, [["network", network]]);
    const statuses = new Map<string, number>(CHAIN_STATUSES.map((status) => [status, 0]));
    // Each once.
    for (const status of new Map(answer.chains.map((each) => [each.chainId, each.status])).values()) {
      const known = statuses.has(status) ? status : "other";
      statuses.set(known, (statuses.get(known) ?? 0) + 1);
    }
    return { at: api.now, statuses };
  },
});
export type ChainCounts = AnswerOf<typeof DataChains>;

export const DataChain = hostedEndpoint(ChainById, {
  id: "data.chain",
  units: 1,
  priority: 2,
  every: 300,
  keys: ({ chains }) => chains,
  async ask(api, chainId) {
    return { at: api.now, chain: await api.get(ChainById, { chainId }) };
  },
});
