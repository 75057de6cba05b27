import { z } from "zod";
import { listed, maybeField } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import { hostedEndpoint, type Dated } from "./hosted.ts";

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
  enabledFeatures: listed(z.string()),
});

export type IndexedChain = z.output<typeof chain>;

const chains = z.object({ chains: listed(chain) });

export const SupportedChains: Resource<z.output<typeof chains>> = {
  name: "GET /v1/chains",
  path: "/v1/chains",
  about: "Every EVM chain that the service indexes on its network.",
  result: chains,
};

export const ChainById: Resource<IndexedChain> = {
  name: "GET /v1/chains/{chainId}",
  path: "/v1/chains/{chainId}",
  about: "Status and features of one indexed EVM chain.",
  result: chain,
};

/** Counted at once: the list is strangers', and long. */
export type ChainCounts = Dated & { readonly statuses: ReadonlyMap<string, number> };

export const DataChains = hostedEndpoint<ChainCounts>({
  id: "data.chains",
  about: SupportedChains.about,
  methods: [SupportedChains.name],
  service: "data",
  units: 1,
  priority: 2,
  every: 300,
  keys: ({ network, chains }) => (chains.length === 0 ? [] : [network]),
  async ask(api, network) {
    const answer = await api.get(SupportedChains, {}, [["network", network]]);
    const statuses = new Map<string, number>(CHAIN_STATUSES.map((status) => [status, 0]));
    for (const { status } of answer.chains) {
      const known = statuses.has(status) ? status : "other";
      statuses.set(known, (statuses.get(known) ?? 0) + 1);
    }
    return { at: api.now, truncated: false, statuses };
  },
});

export const DataChain = hostedEndpoint<Dated & { readonly chain: IndexedChain }>({
  id: "data.chain",
  about: ChainById.about,
  methods: [ChainById.name],
  service: "data",
  units: 1,
  priority: 2,
  every: 300,
  keys: ({ chains }) => chains,
  async ask(api, chainId) {
    return { at: api.now, truncated: false, chain: await api.get(ChainById, { chainId }) };
  },
});
